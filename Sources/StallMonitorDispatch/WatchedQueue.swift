public import Dispatch
import StallMonitor

/// A serial dispatch queue that is watched, and the way to use it that is watched exactly.
///
/// What is given to it here is marked at its beginning and its end, for some 40 ns and one block around the caller's: a stall
/// in it is timed and blamed like one of a loop. Blocks that others give to the queue itself are seen by its ``Pinging``.
public final class WatchedQueue: Sendable {
  /// The queue.
  public let queue: DispatchQueue
  let marks: StallMonitor.LoopMarks
  let pulse: QueuePulse?

  init(_ queue: DispatchQueue, _ marks: StallMonitor.LoopMarks, _ pulse: QueuePulse?) {
    self.queue = queue
    self.marks = marks
    self.pulse = pulse
  }

  /// Does `work` on the queue some time later.
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable () -> Void
  ) {
    pulse?.use()
    queue.async(group: group, qos: qos, flags: flags) { [self] in run(work) }
  }

  /// Does `work` on the queue at a time, or later.
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable () -> Void
  ) {
    queue.asyncAfter(deadline: deadline, qos: qos, flags: flags) { [self] in
      pulse?.use()
      run(work)
    }
  }

  /// Does `work` on the queue and waits for its end; it may be done on the calling thread.
  public func sync<Value>(execute work: () throws -> Value) rethrows -> Value {
    pulse?.use()
    return try queue.sync { try run(work) }
  }

  private static let word: StaticString = "block"

  private func run<Value>(_ work: () throws -> Value) rethrows -> Value {
    pulse?.yieldToAdapter()
    marks.willWork(Self.word)
    defer { marks.willWait() }
    return try work()
  }
}
