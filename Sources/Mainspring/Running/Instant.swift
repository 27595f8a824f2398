import LinuxKernel

extension RunLoop {
  /// A moment on the monotonic clock that loops count by: never set back, standing still while the machine
  /// is suspended (the time of `SuspendingClock`).
  ///
  /// Arithmetic saturates: no `Duration` makes it trap.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// Nanoseconds on CLOCK_MONOTONIC.
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// The moment at which CLOCK_MONOTONIC shows this: by it the kernel's devices, and what else tells of events, say when they
    /// were. Readings below zero count as zero.
    public init(monotonic reading: Duration) {
      nanoseconds = UInt64(max(0, reading.saturatingNanoseconds))
    }

    /// What CLOCK_MONOTONIC shows then, for whoever speaks to others of moments.
    public var monotonicReading: Duration { .nanoseconds(Int64(clamping: nanoseconds)) }

    /// Now, by the kernel's clock. A loop on virtual time has its own: ask it (`RunLoop.now`).
    public static var now: Instant { Instant(nanoseconds: MonotonicClock.now()) }

    /// Later than every date that comes.
    public static let distantFuture = Instant(nanoseconds: .max)

    /// The moment that much later, or earlier.
    public func advanced(by duration: Duration) -> Instant {
      advanced(byNanoseconds: duration.saturatingNanoseconds)
    }

    /// As `advanced(by:)`, without a `Duration` between: for who arms timers by the million.
    @inline(__always)
    public func advanced(byNanoseconds distance: Int64) -> Instant {
      let (sum, overflow) =
        distance >= 0
        ? nanoseconds.addingReportingOverflow(UInt64(bitPattern: distance))
        : nanoseconds.subtractingReportingOverflow(distance.magnitude)
      return Instant(nanoseconds: overflow ? (distance >= 0 ? .max : 0) : sum)
    }

    /// How much later the other moment is; negative if it is earlier.
    public func duration(to other: Instant) -> Duration {
      other.nanoseconds >= nanoseconds
        ? .nanoseconds(Int64(clamping: other.nanoseconds - nanoseconds))
        : .zero - .nanoseconds(Int64(clamping: nanoseconds - other.nanoseconds))
    }

    /// Whether the first moment is the earlier.
    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
  }
}

extension Duration {
  /// Whole nanoseconds, rounded away from zero, within what an Int64 holds (292 years).
  package var saturatingNanoseconds: Int64 {
    let all = attoseconds
    let magnitude = all.magnitude
    let high = UInt64(truncatingIfNeeded: magnitude >> 64)
    // Nearly all of what follows is one division of 128 bits by 64, which the processor has.
    if high < Self.attosecondsInNanosecond {
      let (whole, rest) = Self.attosecondsInNanosecond.dividingFullWidth(
        (high, UInt64(truncatingIfNeeded: magnitude)))
      let rounded = rest == 0 ? whole : whole &+ 1
      if rounded <= Int64.max.magnitude { return all < 0 ? -Int64(rounded) : Int64(rounded) }
    }
    return all < 0 ? .min : .max
  }

  private static let attosecondsInNanosecond: UInt64 = 1_000_000_000
}
