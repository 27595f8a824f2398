import LinuxKernel

extension RunLoop {
  /// Begins to count how long the loop's passes take, for the rest of its life. Any thread; more often than once is once.
  ///
  /// A pass is what the loop does between two waits, or between two passes where it does not wait: what comes meanwhile has
  /// to wait for so long. A loop that is not measured pays two instructions a phase. One that is pays some 30 ns a pass, most of it for
  /// looking at the clock; by phase some 110 ns a pass with one callout more (`make truth` measures both).
  ///
  /// - Parameter byPhase: counts callouts by their kind as well. The time of a callout is its own: not that of what a run in
  ///   it calls.
  public func measureLag(byPhase: Bool = false) { beacon.measureLag(byPhase: byPhase) }

  /// How long passes took since `measureLag`; nil before. Any thread. Counted on Linux's monotonic clock.
  ///
  /// - Complexity: O(1).
  public var lag: LagHistogram? { beacon.lag.object?.histogram }

  /// How long callouts of one kind took; nil unless they are measured. Any thread.
  ///
  /// - Complexity: O(1).
  public func lag(of phase: LagPhase) -> LagHistogram? {
    guard beacon.listeners.contains(.lag) else { return nil }
    return beacon.lag.object?.histogram(of: phase)
  }
}

extension MainRunLoop {
  /// As `RunLoop.measureLag(byPhase:)`.
  public func measureLag(byPhase: Bool = false) { base.measureLag(byPhase: byPhase) }

  /// As `RunLoop.lag`.
  public var lag: RunLoop.LagHistogram? { base.lag }

  /// As `RunLoop.lag(of:)`.
  public func lag(of phase: RunLoop.LagPhase) -> RunLoop.LagHistogram? { base.lag(of: phase) }
}

extension Beacon {
  /// As `RunLoop.measureLag(byPhase:)`, of whatever stores into it.
  package func measureLag(byPhase: Bool) {
    let isFirst = !lag.isSet
    _ = lag.setIfUnset(LagCounters())
    if byPhase { add(.lag) }
    // It is told of progress from here on, as a watcher is.
    if isFirst { beginWatching() }
  }

  /// What counts how long its stretches take; nil if nothing does.
  package var lagCounters: LagCounters? { lag.object }
}
