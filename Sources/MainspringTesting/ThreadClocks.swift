package import LinuxKernel

/// What a thread on virtual time reads from the system's clocks, where a library sees to that.
package enum ThreadClocks {
  /// Nanoseconds.
  package struct Readings: Sendable {
    package let monotonic: UInt64
    package let boot: UInt64
    package let wall: UInt64
  }

  /// Sets what the calling thread reads from here on; nil for the kernel's time.
  package static let setter = Locked<(@Sendable (Readings?) -> Void)?>(nil)

  static func tell(_ readings: Readings?) { setter.withLock { $0 }?(readings) }
}
