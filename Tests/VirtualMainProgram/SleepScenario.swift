import Mainspring
import MainspringTesting
import MainspringTestingMainActor

/// Sleeps of whatever kind, exact to the nanosecond.
@MainActor
enum SleepScenario {
  static func run() async throws {
    try await withVirtualMainActor { time in
      let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
      try await Task.sleep(for: .seconds(3600))
      tell("for a duration: \(time.elapsed)")
      try await Task.sleep(nanoseconds: 1)
      tell("for nanoseconds: \(time.elapsed)")
      try await SuspendingClock().sleep(for: .seconds(1))
      try await ContinuousClock().sleep(for: .seconds(1))
      try await RunLoop.main.sleep(for: .seconds(1))
      try await time.clock.sleep(for: .seconds(1))
      tell("on each clock: \(time.elapsed), \(time.jumpCount) jumps")
      tell("the clocks: \(ContinuousClock.now - continuous), \(SuspendingClock.now - suspending)")
    }
    tell("over: \(try await withVirtualMainActor { $0.elapsed })")
  }
}
