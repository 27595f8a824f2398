import Synchronization

/// What the loop's thread has declared as a wait that is meant: time that is not to be held against it.
///
/// It holds for the scope that declared it. A nested run's work is work of its own.
@safe final class PauseWords: Sendable {
  /// How many declarations are on.
  let depth = Atomic<Int>(0)
  /// When the outermost of them began, ns; 0 while none is on.
  let since = Atomic<UInt64>(0)
  /// The nesting that it was made at.
  let nesting = Atomic<Int>(0)
  /// Time of those that are over, and the progress in whose stretch they lay.
  let sum = Atomic<UInt64>(0)
  let progress = Atomic<UInt32>(0)
  /// The reason of the latest: a literal that ends with a zero.
  let reason = Atomic<UInt>(0)

  /// How much of a stretch was declared, ns. Any thread.
  func time(inStretch stretch: UInt32, from start: UInt64, to now: UInt64, nesting current: Int) -> UInt64 {
    let over = progress.load(ordering: .acquiring) == stretch ? sum.load(ordering: .relaxed) : 0
    let began = since.load(ordering: .acquiring)
    guard began != 0, nesting.load(ordering: .relaxed) == current else { return over }
    let from = max(began, start)
    return over &+ (now > from ? now - from : 0)
  }
}

extension Beacon {
  /// Declares that what the loop's thread does from here on is a wait that is meant. To be ended as often as begun, on
  /// the loop's thread.
  ///
  /// - Parameters:
  ///   - now: the monotonic time, ns.
  ///   - reason: the address of a literal that ends with a zero byte.
  package func beginPause(at now: UInt64, reason: UInt) {
    let depth = pause.depth.load(ordering: .relaxed)
    pause.depth.store(depth + 1, ordering: .relaxed)
    guard depth == 0 else { return }
    pause.reason.store(reason, ordering: .relaxed)
    pause.nesting.store(State(rawValue: state.load(ordering: .relaxed)).nesting, ordering: .relaxed)
    pause.since.store(now, ordering: .releasing)
  }

  /// Takes one declaration back.
  package func endPause(at now: UInt64) {
    let depth = pause.depth.load(ordering: .relaxed) - 1
    pause.depth.store(depth, ordering: .relaxed)
    guard depth == 0 else { return }
    let shown = State(rawValue: state.load(ordering: .relaxed))
    let began = max(pause.since.load(ordering: .relaxed), since.load(ordering: .relaxed))
    let length = now > began ? now - began : 0
    let before =
      pause.progress.load(ordering: .relaxed) == shown.progress ? pause.sum.load(ordering: .relaxed) : 0
    // The sum first: a reader may then count some of it twice for a moment, and never misses it.
    pause.sum.store(before &+ length, ordering: .relaxed)
    pause.progress.store(shown.progress, ordering: .releasing)
    pause.since.store(0, ordering: .releasing)
  }

  /// How much of the stretch that is on was declared, ns. Any thread.
  package func pausedTime(in shown: State, from start: UInt64, to now: UInt64) -> UInt64 {
    pause.time(inStretch: shown.progress, from: start, to: now, nesting: shown.nesting)
  }

  /// The address of the reason that was given last, 0 if none was. Any thread.
  package var pauseReason: UInt { pause.reason.load(ordering: .relaxed) }
}
