import Synchronization

extension RunLoop {
  /// Ends the innermost run, or all that are on the stack. Any thread, also before the loop runs.
  ///
  /// The loop wakes if it sleeps, and the run ends with the pass that is on, which still serves what it had found. With
  /// no run on, one stop is kept and ends the next outermost run before its first pass. Stops do not add up.
  ///
  /// - Returns: whether the stop met a run.
  @discardableResult
  public func stop(_ scope: StopScope = .innermost) -> Bool {
    guard !isInherited else { return false }
    let metRun = stops.stop(scope)
    // Also where it met none: the loop may be hosted, and sleep between two turns.
    bell.ringIfAsleep(in: .all)
    return metRun
  }

  /// Takes back a stop that no run has met yet; says whether there was one. Any thread.
  @discardableResult
  public func cancelPendingStop() -> Bool { stops.cancelKept() }

  /// Refuses blocks from here on, for good; those queued before run. For a thread that is to end. Any thread.
  func refuseBlocks() {
    if !isInherited { inbox.refuseBlocks() }
  }

  /// Lets the loop make a whole pass that begins after this call: after a version-0 source was signalled, say. Any
  /// thread.
  ///
  /// Ends a wait, if one is on, and never a run. Several before the pass are one.
  public func wakeUp() {
    unsafe words.wakeRequested.pointee.store(1, ordering: .sequentiallyConsistent)
    bell.ringIfAsleep(in: .all)
  }
}
