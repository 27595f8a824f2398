import CHostility
import Glibc

/// Clocks, read by the injector itself: nothing of the monitor's measures the truth.
enum Clock {
  // In C, so that no function of these stands inlined in those that are to be blamed.

  /// ns, monotonic.
  @inline(__always) static func now() -> UInt64 { monotonic_now() }

  /// ns of a processor that the calling thread has had.
  @inline(__always) static func own() -> UInt64 { own_now() }

  /// Sleeps for so long, ns, whatever signals come.
  static func rest(_ nanoseconds: UInt64) {
    let end = timespec(nanoseconds: now() &+ nanoseconds)
    withUnsafePointer(to: end) { end in
      while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, end, nil) == EINTR {}
    }
  }
}

extension timespec {
  init(nanoseconds: UInt64) {
    self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
