import Glibc

/// CLOCK_MONOTONIC in nanoseconds: never set back, stands still while the machine is suspended.
package enum MonotonicClock {
  /// The exact time, about 30 ns to read.
  package static func now() -> UInt64 { read(CLOCK_MONOTONIC) }

  /// The time at the kernel's last tick, about 6 ns to read; a tick is `coarseResolution` long.
  package static func coarseNow() -> UInt64 { read(CLOCK_MONOTONIC_COARSE) }

  /// How much the coarse time may lie behind, ns: 1 to 10 ms, as the kernel was built.
  package static let coarseResolution: UInt64 = {
    var step = timespec()
    // SAFETY: the call writes one timespec, which outlives it.
    let result = unsafe clock_getres(CLOCK_MONOTONIC_COARSE, &step)
    return result == 0 ? UInt64(step.tv_sec) * 1_000_000_000 + UInt64(step.tv_nsec) : 10_000_000
  }()

  private static func read(_ clock: clockid_t) -> UInt64 { timespec.now(on: clock).nanoseconds }
}

/// CLOCK_BOOTTIME in nanoseconds: never set back, and going on while the machine is suspended.
package enum BootClock {
  package static func now() -> UInt64 { timespec.now(on: CLOCK_BOOTTIME).nanoseconds }
}

/// CLOCK_REALTIME in nanoseconds since 1970: follows when the clock is set.
package enum WallClock {
  package static func now() -> UInt64 { timespec.now(on: CLOCK_REALTIME).nanoseconds }
}

/// The processor time of a thread of this process.
package enum ThreadClock {
  /// Up to this moment, also of a thread that is running, ns; nil if there is no such thread. About 0.3 µs.
  package static func processorTime(ofThread thread: CInt) -> UInt64? {
    // The kernel's way to write "the scheduler's clock of this thread" as a clock's number.
    let clock = clockid_t(~thread << 3 | 6)
    var time = timespec()
    // SAFETY: the call writes one timespec, which outlives it.
    guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
    return time.nanoseconds
  }
}

/// How often the calling thread went to sleep by itself.
package enum ThreadSwitches {
  /// So far. About 0.3 µs.
  package static var voluntary: Int {
    var usage = rusage()
    // The calling thread, as against the process; the headers name it for GNU's programs only.
    let ofThisThread: CInt = 1
    // SAFETY: the call writes one rusage, which outlives it.
    guard unsafe getrusage(__rusage_who_t(ofThisThread), &usage) == 0 else { return 0 }
    return usage.ru_nvcsw
  }
}

extension timespec {
  @inline(__always)
  fileprivate static func now(on clock: clockid_t) -> timespec {
    var time = timespec()
    // SAFETY: the call writes one timespec, which outlives it.
    let result = unsafe clock_gettime(clock, &time)
    assert(result == 0, "clock \(clock) cannot be read")
    return time
  }

  fileprivate var nanoseconds: UInt64 {
    UInt64(truncatingIfNeeded: tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: tv_nsec)
  }

  /// The same span or instant, given in nanoseconds.
  package init(nanoseconds: UInt64) {
    self.init(
      tv_sec: Int(clamping: nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
