import LinuxKernel

extension RunLoop {
  /// The clock that a timer's date is on.
  public enum TimerClock: Hashable, Sendable {
    /// Never set, and standing still while the machine is suspended, as `SuspendingClock`. What runs and their limits
    /// count by.
    case monotonic
    /// Never set, and going on while the machine is suspended, as `ContinuousClock`: a timer that came due meanwhile
    /// fires when the machine resumes.
    case boot
    /// The time of day, which follows when the clock is set: a timer that the clock was set over fires at once, one
    /// that it was set back before waits as much longer.
    case wall
  }

  /// A moment in the time of day, for timers of the wall clock: nanoseconds since 1970, UTC, without leap seconds.
  ///
  /// Arithmetic saturates.
  public struct WallTime: Comparable, Hashable, Sendable {
    /// Nanoseconds since 1970, UTC.
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// The moment that long after the beginning of 1970, UTC; what lies before counts as that beginning.
    public init(since1970 duration: Duration) { nanoseconds = UInt64(max(0, duration.saturatingNanoseconds)) }

    /// Now, by the kernel's clock.
    public static var now: WallTime { WallTime(nanoseconds: WallClock.now()) }

    /// How long after the beginning of 1970, UTC.
    public var since1970: Duration { .nanoseconds(Int64(clamping: nanoseconds)) }

    /// The moment that much later, or earlier.
    public func advanced(by duration: Duration) -> WallTime {
      WallTime(nanoseconds: Instant(nanoseconds: nanoseconds).advanced(by: duration).nanoseconds)
    }

    /// Whether the first moment is the earlier.
    public static func < (a: WallTime, b: WallTime) -> Bool { a.nanoseconds < b.nanoseconds }
  }
}
