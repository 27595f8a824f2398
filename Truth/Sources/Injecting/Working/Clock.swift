import CHostility
import Glibc

/// Clocks, read by the injector itself: nothing of the monitor's measures the truth.
package enum Clock {
  /// ns, monotonic.
  package static func now() -> UInt64 { monotonic_now() }

  /// Sleeps for so long, ns, whatever signals come.
  package static func rest(_ nanoseconds: UInt64) {
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
