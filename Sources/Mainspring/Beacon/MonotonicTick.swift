import LinuxKernel

/// The clock that progress is stamped with: the kernel's last tick, cheap to read.
enum MonotonicTick {
  static func now() -> UInt64 { MonotonicClock.coarseNow() }
}
