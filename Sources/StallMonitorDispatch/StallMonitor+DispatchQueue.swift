public import Dispatch
import StallReport
public import StallMonitor

extension StallMonitor {
  /// Watches a serial dispatch queue under a name.
  ///
  /// What goes through the queue that is returned is watched exactly. What others give to the queue is seen by pings, blocks
  /// that do nothing, of which one is on its way at a time:
  ///
  /// - A ping that is not answered for the threshold, while a thread is serving the queue, is a stall of the queue. It is
  ///   reported with the stack of the thread that serves it, from the time the ping was sent: what keeps the queue may have
  ///   begun up to half a threshold before.
  /// - Pings see that the queue does not get to what it is given. They cannot tell one long block from many short ones that
  ///   were given at once; the samples show that.
  /// - A queue that is suspended, or that waits for a thread of dispatch's pool, runs nothing, and is no stall. Nor
  ///   is one whose target is busy with another queue's blocks: watch the target.
  /// - Nothing is held against a queue that has never answered: the main queue of a program that does not serve it.
  /// - The thread that serves is known exactly, wherever dispatch runs the queue: after `dispatchMain()` the main queue is no
  ///   longer the main thread's. Should a version of dispatch not show it, it is the thread that answered the last ping.
  ///
  /// A queue that is not in use costs nothing with ``Pinging/whileInUse``, and the monitor sleeps. Concurrent queues cannot be
  /// watched: they answer while one of their blocks is stuck.
  @discardableResult
  public func watch(_ queue: DispatchQueue, as name: String, pinging: Pinging = .whileInUse) -> WatchedQueue {
    let marks = watch(loopNamed: name, kind: .dispatchQueue)
    marks.willWait()
    guard pinging != .never else { return WatchedQueue(queue, marks, nil) }
    let pulse = QueuePulse(queue, marks, threshold: threshold, pinging: pinging)
    watch(pulse.beacon, as: name, kind: .dispatchQueue)
    pulse.use()
    return WatchedQueue(queue, marks, pulse)
  }

  /// A watched executor whose jobs are done by a serial queue.
  public func makeExecutor(on queue: DispatchQueue, as name: String) -> WatchedExecutor {
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    return makeExecutor(as: name, isCurrent: { DispatchQueue.getSpecific(key: key) ?? false }) { job in
      queue.async { job() }
    }
  }
}
