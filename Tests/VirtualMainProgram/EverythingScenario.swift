import Mainspring
import MainspringTesting
import MainspringTestingMainActor

/// All that code of the main actor may begin, in the order of dates.
@MainActor
enum EverythingScenario {
  static func run() async throws {
    try await withVirtualMainActor { time in
      let timer = RunLoop.main.addTimer(every: .seconds(100)) { _ in tell("timer at \(time.elapsed)") }
      let tasks = [
        Task {
          try await Task.sleep(for: .seconds(250))
          tell("task of the main actor at \(time.elapsed)")
        },
        Task.detached {
          try await Task.sleep(for: .seconds(150))
          tell("detached task at \(time.elapsed)")
        },
      ]
      try await withThrowingTaskGroup { group in
        for seconds in [60, 30, 90] {
          group.addTask {
            try await Task.sleep(for: .seconds(seconds))
            tell("child at \(time.elapsed)")
          }
        }
        try await group.waitForAll()
      }
      await nobodys(time)
      for await tick in RunLoop.main.base.ticks(every: .seconds(40)) {
        tell("tick at \(time.elapsed)")
        if tick.number == 2 { break }
      }
      for task in tasks { try await task.value }
      timer.invalidate()
      try await withVirtualTime { tell("nested: \($0.loop === RunLoop.main.base)") }
      tell("\(time.elapsed), \(time.jumpCount) jumps")
    }
  }

  nonisolated private static func nobodys(_ time: VirtualTime) async {
    await Task.yield()
    tell("nobody's at \(time.elapsed)")
  }
}
