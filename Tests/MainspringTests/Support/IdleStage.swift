@testable import Mainspring
import MainspringTesting
import Testing

/// A loop with an idle queue in the common modes, and what was done.
final class IdleStage: Sendable {
  let virtual = VirtualRunLoop()
  let done = Record<String>()
  let queue: RunLoop.IdleQueue

  init(_ queue: RunLoop.IdleQueue = RunLoop.IdleQueue(), in mode: RunLoop.Mode = .common) {
    self.queue = queue
    virtual.loop.add(queue, to: mode)
  }

  var loop: RunLoop { virtual.loop }

  /// Adds a task that takes so long.
  @discardableResult
  func add(
    _ name: String, key: RunLoop.IdleQueue.Key? = nil, priority: RunLoop.IdleQueue.Priority = .normal,
    taking length: Duration = .zero,
    onEnd: (@Sendable (RunLoop.IdleQueue.Ending) -> Void)? = nil
  ) -> RunLoop.IdleQueue.Handle? {
    let (virtual, done) = (virtual, done)
    return queue.add(key: key, priority: priority, onEnd: onEnd) {
      virtual.spend(length)
      done.add(name)
    }
  }

  /// How many had been done at each beforeWaiting, before the queue's turn.
  func recordTurns() -> Record<Int> {
    let (turns, done) = (Record<Int>(), done)
    loop.add(RunLoop.Observer(.afterWaiting) { _, _ in turns.add(done.count) }, to: .common)
    return turns
  }
}
