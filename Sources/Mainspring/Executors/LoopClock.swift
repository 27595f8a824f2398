extension RunLoop {
  /// The loop's monotonic clock as one that tasks sleep by: for code that is given its clock.
  ///
  /// ```swift
  /// struct Watch<C: Clock<Duration>>: Sendable {
  ///   let clock: C
  ///
  ///   func look(times: Int, every interval: Duration) async throws {
  ///     for _ in 0..<times {
  ///       try await clock.sleep(for: interval)
  ///       print("looked")
  ///     }
  ///   }
  /// }
  ///
  /// let loop = RunLoop.current
  /// let watch = Watch(clock: loop.clock)
  /// try loop.runUntilDone { try await watch.look(times: 3, every: .seconds(3600)) }
  /// ```
  ///
  /// A sleep is a timer of the loop, in its common modes; a cancelled one leaves nothing behind. On a loop of
  /// `MainspringTesting` the hours are virtual. Any thread; with scripted virtual time, the loop's own.
  public struct LoopClock: Clock, Sendable {
    /// The loop whose clock it is.
    public let loop: RunLoop

    init(_ loop: RunLoop) { self.loop = loop }

    /// Now, by the loop's clock.
    public var now: Instant { Instant(nanoseconds: loop.poller.now()) }

    /// A nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Suspends the task until that date.
    ///
    /// - Throws: as ``RunLoop/sleep(for:tolerance:on:)``.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
      try await loop.sleep(until: deadline, tolerance: tolerance ?? .zero)
    }
  }

  /// The loop's monotonic clock, for tasks to sleep by. Any thread.
  public var clock: LoopClock { LoopClock(self) }
}

extension MainRunLoop {
  /// As `RunLoop.clock`.
  public var clock: RunLoop.LoopClock { base.clock }
}
