import Foundation

/// What loops, modes and the loops of dead threads hold open.
struct DescriptorsHeld: SharedScenario {
  let name = "fd-threads"
  let title = "descriptors of a loop that has a timer, of its thread's end while it is kept, and of a mode"
  let rules = Rules(15, 44, 50, cf: [3, 9])

  private static let count = 50

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    // What a process opens once is not counted.
    let own = Loop.current
    own.keepAlive(Loop.defaultMode)
    own.run(in: Loop.defaultMode, for: .zero)
    let threads = ProcessFigures.threads
    _ = Loop.onOwnThread { $0.run(in: Loop.defaultMode, for: .zero) }
    waitForThreads(toBe: threads)
    let base = ProcessFigures.descriptors
    let (isReady, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let kept = Shared<[Loop]>([])
    for _ in 0..<Self.count {
      onAnotherThread {
        let loop = Loop.current
        loop.keepAlive(Loop.defaultMode)
        loop.run(in: Loop.defaultMode, for: .zero)
        kept.change { $0.append(loop) }
        isReady.signal()
        mayEnd.wait()
      }
    }
    for _ in 0..<Self.count { isReady.wait() }
    notes.note("loop", perOne(since: base))
    for _ in 0..<Self.count { mayEnd.signal() }
    waitForThreads(toBe: threads)
    notes.note("dead_loop", perOne(since: base))
    kept.value = []
    let beforeModes = ProcessFigures.descriptors
    for index in 0..<Self.count { own.perform(in: Loop.mode("mode \(index)")) {} }
    notes.note("mode", perOne(since: beforeModes))
  }

  /// A thread that was ended takes its time, and its loop ends last.
  private func waitForThreads(toBe count: Int) {
    while ProcessFigures.threads > count { pause(.milliseconds(5)) }
  }

  private func perOne(since base: Int) -> Double {
    Double(ProcessFigures.descriptors - base) / Double(Self.count)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let counts = [try facts.number("loop"), try facts.number("dead_loop"), try facts.number("mode")]
    return Finding(
      "\(figure(counts[0])), \(figure(counts[1])) and \(figure(counts[2]))",
      isRight: counts.allSatisfy { $0 < 0.5 })
  }
}
