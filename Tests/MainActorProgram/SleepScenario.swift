import Mainspring

/// Sleeps of tasks, which are timers of the main loop.
@MainActor
enum SleepScenario {
  static var timers: Int { RunLoop.main.base.contents(of: .common).timers }

  /// The most that the loop has had at any of its activities.
  static var mostTimers = 0

  static func run() async throws {
    let clock = ContinuousClock()
    // However late this thread comes by: between the loop's taking in what was sent and calling what is due lies one.
    RunLoop.main.addObserver(of: .all) { _, _ in mostTimers = max(mostTimers, timers) }
    let sleeps: [(String, @Sendable () async throws -> Void)] = [
      ("for a duration", { try await Task.sleep(for: .milliseconds(20)) }),
      ("for nanoseconds", { try await Task.sleep(nanoseconds: 20_000_000) }),
      ("on the continuous clock", { try await ContinuousClock().sleep(for: .milliseconds(20)) }),
      ("on the suspending clock", { try await SuspendingClock().sleep(for: .milliseconds(20)) }),
      ("with a tolerance", { try await Task.sleep(for: .milliseconds(20), tolerance: .milliseconds(5)) }),
      ("by the loop", { try await RunLoop.main.sleep(for: .milliseconds(20)) }),
    ]
    for (name, sleep) in sleeps {
      let begin = clock.now
      mostTimers = 0
      try await Task.detached { try await sleep() }.value
      tell("\(name): \(mostTimers) timer")
      tell("slept: \(clock.now - begin >= .milliseconds(20)), \(timers) timers")
    }
  }

  /// Sleeps of the loop's own leave nothing when they are cancelled; those of the standard library stay until their date.
  static func cancelled() async {
    let own = (1...1000).map { _ in Task.detached { try await RunLoop.main.sleep(for: .seconds(1000)) } }
    while timers < 1000 { await Task.yield() }
    for task in own { task.cancel() }
    for task in own { _ = await task.result }
    // What pool threads sent is taken in by the next pass.
    while timers > 0 { await Task.yield() }
    tell("1000 sleeps of the loop cancelled: \(timers) timers")
    let others = (1...10).map { _ in Task.detached { try await Task.sleep(for: .seconds(1000)) } }
    while timers < 10 { await Task.yield() }
    for task in others { task.cancel() }
    for task in others { _ = await task.result }
    tell("10 of the standard library's: \(timers) timers")
  }
}
