import LinuxKernel
import Synchronization

extension RunLoop {
  /// Why `invalidateAndWait` could not wait until the item's last callout had returned. The item is invalid all the
  /// same.
  public enum InvalidationError: Error, Hashable, Sendable {
    /// A callout of the item was still on when the limit passed, or the loop had not come to a boundary.
    case limitPassed
    /// It was called from inside a callout of the item, which would have waited for itself.
    case calledFromOwnCallout
    /// The item's loop waits, itself or through others, for the loop of the calling thread: both would have waited for
    /// ever.
    case wouldDeadlock
  }
}

extension RunLoop.Item {
  /// Invalidates, and returns when no callout of the item is on any more: what its handlers use can be torn down
  /// after that.
  ///
  /// A source's `onCancel` is another matter: where the loop was in no run, it is called when the loop next comes to a
  /// boundary, or at its end. What it uses must last until it was called.
  ///
  /// From another thread this waits for the loop's next boundary and, where that lies in a run that is nested in a
  /// callout of the item, for the end of that callout. It does not wait for a loop that does not run. On the loop's
  /// own thread it is the same as `invalidate`.
  ///
  /// - Parameter limit: how long to wait at most, by the kernel's monotonic clock; nil waits as long as it takes.
  /// - Throws: why it could not wait; the item is invalid all the same.
  public final func invalidateAndWait(for limit: Duration? = nil) throws(RunLoop.InvalidationError) {
    invalidate()
    guard let loop else { return }
    if loop.isOnOwnThread {
      // Where another thread invalidated it, that may not have come here yet.
      loop.finishInvalidation(of: self)
      if isInCallout { throw .calledFromOwnCallout }
      return
    }
    // A run that begins after this sees that the item is invalid.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard loop.mayBeInCallout else { return }
    guard let wait = WaitingLoops.begin(for: loop) else { throw .wouldDeadlock }
    let departure = Departure(wait)
    defer { departure.giveUp() }
    let deadline = limit.map { RunLoop.Instant.now.advanced(by: $0).nanoseconds }
    loop.departuresExpected.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { loop.departuresExpected.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    let isSent = loop.send(concerning: .all) { loop in
      loop.finishInvalidation(of: self)
      self.report(to: departure)
      departure.note()
    }
    // A loop that has ended has no callouts, nor has one whose last run ended before it was told of the waiting. If
    // one is still on here, its end finds that somebody waits.
    if isSent, loop.mayBeInCallout, !departure.wait(until: deadline) { throw .limitPassed }
  }
}
