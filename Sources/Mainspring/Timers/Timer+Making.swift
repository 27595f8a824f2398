extension RunLoop.Timer {
  /// A timer that fires at every interval, first one interval after it is made, for ever.
  ///
  /// The grid of fire dates never drifts; fires that were missed become one. An interval below one
  /// nanosecond counts as one.
  ///
  /// - Parameters:
  ///   - tolerance: how much later than its date it may fire, at most half the interval.
  ///   - clock: what the interval is counted on.
  public convenience init(
    every interval: Duration, tolerance: Duration = .zero, on clock: RunLoop.TimerClock = .monotonic,
    file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (RunLoop.Timer) -> Void
  ) {
    let nanoseconds = Self.interval(interval)
    self.init(
      Schedule(
        date: Self.now(on: clock).advanced(byNanoseconds: Int64(clamping: nanoseconds)).nanoseconds,
        interval: nanoseconds, clock: clock, tolerance: tolerance),
      site: CallSite(file, line), handler: handler)
  }

  /// A timer that fires at every interval on the monotonic clock, first at a date; one in the past means now.
  public convenience init(
    every interval: Duration, first: RunLoop.Instant, tolerance: Duration = .zero,
    file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (RunLoop.Timer) -> Void
  ) {
    self.init(
      // The grid of a date in the past begins now.
      Schedule(
        date: max(first, Self.now(on: .monotonic)).nanoseconds, interval: Self.interval(interval),
        tolerance: tolerance),
      site: CallSite(file, line), handler: handler)
  }

  /// A timer that fires at every interval of the time of day, first at a moment; one in the past means now.
  ///
  /// After the clock was set forward over several dates, there is one fire; after it was set back, none until the next
  /// date is reached again.
  public convenience init(
    every interval: Duration, firstAtWallTime first: RunLoop.WallTime, tolerance: Duration = .zero,
    file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (RunLoop.Timer) -> Void
  ) {
    self.init(
      Schedule(
        date: max(first.nanoseconds, Self.now(on: .wall).nanoseconds), interval: Self.interval(interval),
        clock: .wall, tolerance: tolerance),
      site: CallSite(file, line), handler: handler)
  }

  /// A timer that fires once, `delay` after it is made, and is then invalidated unless its handler set a date.
  ///
  /// - Parameters:
  ///   - tolerance: how much later it may fire.
  ///   - clock: what the delay is counted on.
  public convenience init(
    after delay: Duration, tolerance: Duration = .zero, on clock: RunLoop.TimerClock = .monotonic,
    file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (RunLoop.Timer) -> Void
  ) {
    self.init(
      Schedule(
        date: Self.now(on: clock).advanced(by: delay).nanoseconds, clock: clock, tolerance: tolerance),
      site: CallSite(file, line), handler: handler)
  }

  /// A timer that fires once, at `date` on the monotonic clock, and is then invalidated unless its handler set a date.
  /// One in the past means now.
  public convenience init(
    at date: RunLoop.Instant, tolerance: Duration = .zero, file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (RunLoop.Timer) -> Void
  ) {
    self.init(
      Schedule(date: date.nanoseconds, tolerance: tolerance), site: CallSite(file, line), handler: handler)
  }

  /// A timer that fires once, at a time of day, and is then invalidated unless its handler set a date. A time in the
  /// past means now.
  public convenience init(
    atWallTime time: RunLoop.WallTime, tolerance: Duration = .zero, file: StaticString = #fileID,
    line: UInt = #line,
    handler: @escaping @Sendable (RunLoop.Timer) -> Void
  ) {
    self.init(
      Schedule(date: time.nanoseconds, clock: .wall, tolerance: tolerance), site: CallSite(file, line),
      handler: handler)
  }

  /// A timer with no date: it fires whenever one was set, and stays valid after that. For time-outs and
  /// debouncers, which move their date over and over.
  public convenience init(
    rearmable: Void, tolerance: Duration = .zero, on clock: RunLoop.TimerClock = .monotonic,
    file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (RunLoop.Timer) -> Void
  ) {
    self.init(
      Schedule(date: .max, clock: clock, tolerance: tolerance, isRearmable: true), site: CallSite(file, line),
      handler: handler)
  }

  private static func interval(_ duration: Duration) -> UInt64 {
    UInt64(max(1, duration.saturatingNanoseconds))
  }

  /// As the loop of this thread counts: a moment on the clock, in the clothes of the monotonic one's.
  private static func now(on clock: RunLoop.TimerClock) -> RunLoop.Instant {
    RunLoop.Instant(nanoseconds: RunLoop.pollerOfThisThread.now(on: clock))
  }
}
