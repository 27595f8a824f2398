import CHarness
import Mainspring

/// A C callback and its argument, as the harness hands them over.
struct Callback: @unchecked Sendable {
  // Sendable: the harness calls it on the loop's thread alone and keeps the argument alive.
  let function: task_fn
  let argument: UnsafeMutableRawPointer?

  func callAsFunction() { function(argument) }
}

/// A loop with what the harness has added to it, reached from C by its address.
///
/// Made and used on the loop's thread, except `source`, `port` and `loop`, which every thread may use.
final class PeerLoop: @unchecked Sendable {
  // Sendable: the harness touches `timers`, their references, `armed` and `base` on the loop's thread alone, and
  // `source` and `port` do not change once a second thread knows the loop.
  let loop = RunLoop.current
  var source: RunLoop.Source?
  var port: RunLoop.Port<Callback>? { didSet { portReference = port.map { .passUnretained($0) } } }
  /// The same port, kept by `port`.
  private(set) var portReference: Unmanaged<RunLoop.Port<Callback>>?
  var timers: [RunLoop.Timer] = []
  /// The same timers, kept by `timers`.
  var timerReferences = UnsafeMutablePointer<Unmanaged<RunLoop.Timer>>.allocate(capacity: 1)
  var armed = UnsafeMutablePointer<Callback>.allocate(capacity: 1)
  /// What delays are counted from: the clock as it was read last, at the start of a batch.
  var base = RunLoop.Instant.now
  /// Keeps the mode from being empty while the harness has nothing in it.
  let keeper = RunLoop.Source { _ in }

  init() { loop.add(keeper, to: .default) }

  /// Calls `body` with the loop, as a program would that holds it in a constant: without counting references.
  @inline(__always)
  static func with(_ raw: UnsafeMutableRawPointer?, _ body: (PeerLoop) -> Void) {
    Unmanaged<PeerLoop>.fromOpaque(raw!)._withUnsafeGuaranteedRef { body($0) }
  }

  /// The same with one of its timers.
  @inline(__always)
  static func withTimer(
    _ raw: UnsafeMutableRawPointer?, _ index: Int, _ body: (PeerLoop, RunLoop.Timer) -> Void
  ) {
    with(raw) { peer in
      peer.timerReferences[index]._withUnsafeGuaranteedRef { timer in body(peer, timer) }
    }
  }
}
