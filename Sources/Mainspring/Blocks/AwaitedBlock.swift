import LinuxKernel

/// A block that a thread waits for, and what became of it.
///
/// The queue's copy of the block is the only owner of its `Ticket`: a ticket that goes without having been used says
/// that the block was dropped, by the end of the loop.
final class AwaitedBlock<Value: Sendable>: Sendable {
  private let fate = Locked(Fate.queued)
  private let wait: LoopWait
  /// Not zero once the fate is known.
  private let answered = FutexWord(0)

  enum Fate {
    case queued
    /// The waiter gave up before the block began; it must not run any more.
    case withdrawn
    case running
    case returned(Result<Value, any Error>)
    case dropped
  }

  init(_ wait: LoopWait) { self.wait = wait }

  /// Runs the body unless the waiter has gone. On the loop's thread.
  func run(_ body: () throws -> Value) {
    let begins = fate.withLock { fate in
      guard case .queued = fate else { return false }
      fate = .running
      return true
    }
    if begins { answer(.returned(Result(catching: body))) }
  }

  private func answer(_ outcome: Fate) {
    fate.withLock { $0 = outcome }
    wait.end()
    _ = answered.exchange(1)
    answered.wake(all: true)
  }

  /// The block went without having run. Whatever thread.
  fileprivate func noteDropped() {
    let isDropped = fate.withLock { fate in if case .queued = fate { true } else { false } }
    if isDropped { answer(.dropped) }
  }

  /// Waits until the fate is known or the deadline (kernel's monotonic time, ns) passes.
  func outcome(until deadline: UInt64?) -> Fate {
    while answered.load() == 0 {
      if answered.wait(while: 0, until: deadline) == .timedOut { break }
    }
    wait.end()
    return fate.withLock { fate in
      if case .queued = fate { fate = .withdrawn }
      return fate
    }
  }

  /// What the queued block holds.
  final class Ticket: Sendable {
    let block: AwaitedBlock
    init(for block: AwaitedBlock) { self.block = block }
    deinit { block.noteDropped() }
  }
}
