import Mainspring
import MainspringTesting
import MainspringTestingMainActor

/// Tasks of other threads have their own time, and are waited for where no timer is armed.
@MainActor
enum ApartScenario {
  static func run() async throws {
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let sleeper = Task.detached {
      continuation.finish()
      try await Task.sleep(for: .seconds(1000))
    }
    for await _ in begun {}
    try await withVirtualMainActor { _ in
      try await Task.sleep(for: .seconds(3600))
      sleeper.cancel()
      tell("a sleep elsewhere: \(await sleeper.result)")
    }
    // A thread on a time of its own has the standard library's sleeps, too.
    tell(
      "on a thread: \(try await withVirtualTime { time in try await Task.sleep(for: .seconds(3600)); return time.elapsed })"
    )
  }
}
