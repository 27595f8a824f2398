import LinuxKernel

/// How far the other clocks are from the monotonic one: it stands still while the machine is suspended, and nobody sets it.
struct ClockDistances: Sendable, Equatable {
  /// Grows by as much as the machine was suspended, ns.
  var boot: Int64
  /// Changes by as much as the wall clock was set, ns.
  var wall: Int64

  init(boot: Int64, wall: Int64) {
    self.boot = boot
    self.wall = wall
  }

  static var now: ClockDistances {
    let monotonic = Int64(clamping: MonotonicClock.now())
    return ClockDistances(
      boot: Int64(clamping: BootClock.now()) - monotonic, wall: Int64(clamping: WallClock.now()) - monotonic)
  }

  /// Clocks that are read one after the other differ by less than this, ns.
  private static let noise: Int64 = 1_000_000
  /// The wall clock is slewed by less all the time.
  private static let stepMin: Int64 = 1_000_000_000

  /// For how long the machine was suspended between two readings, ns.
  func suspended(since before: ClockDistances) -> UInt64 {
    let grown = boot - before.boot
    return grown > Self.noise ? UInt64(grown) : 0
  }

  /// By how much the wall clock was set between two readings, ns; 0 for less than a second.
  func step(since before: ClockDistances) -> Int64 {
    // A suspended machine's wall clock goes on: that is no step.
    let step = (wall - before.wall) - (boot - before.boot)
    return abs(step) >= Self.stepMin ? step : 0
  }
}
