import Synchronization

extension RunLoop {
  /// Ends the innermost run, or all that are on the stack. Any thread, also before the loop runs.
  ///
  /// With no run on, one stop is kept and ends the next outermost run before its first pass. Stops do not add up.
  ///
  /// - Returns: whether the stop met a run.
  @discardableResult
  public func stop(_ scope: StopScope = .innermost) -> Bool {
    guard !isInherited else { return false }
    let metRun = stops.stop(scope)
    if metRun { bell.ringIfAsleep(in: .all) }
    return metRun
  }

  /// Takes back a stop that no run has met yet; says whether there was one. Any thread.
  @discardableResult
  public func cancelPendingStop() -> Bool { stops.cancelKept() }

  /// Ends a wait, so that the loop makes a pass: after a version-0 source was signalled, say. Any thread.
  public func wakeUp() {
    unsafe words.wakeRequested.pointee.store(1, ordering: .sequentiallyConsistent)
    bell.ringIfAsleep(in: .all)
  }
}
