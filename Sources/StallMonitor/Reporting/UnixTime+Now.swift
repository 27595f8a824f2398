import Glibc
import LinuxKernel
import StallReport

extension Report.UnixTime {
  /// The wall clock's time.
  static var now: Report.UnixTime {
    var time = timespec()
    // SAFETY: writes one timespec, which outlives the call.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Report.UnixTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// The wall clock's time of a moment on the monotonic clock (ns), by the clocks' distance as it is now.
  static func ofMonotonic(_ moment: UInt64) -> Report.UnixTime {
    now.advanced(by: Int64(clamping: moment) &- Int64(clamping: MonotonicClock.now()))
  }

  /// So many nanoseconds later, or earlier.
  func advanced(by distance: Int64) -> Report.UnixTime {
    Report.UnixTime(nanoseconds: nanoseconds &+ distance)
  }
}
