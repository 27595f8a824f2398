import Mainspring
import MainspringTesting
import MainspringTestingMainActor

/// What nobody brings is told, and the next has its turn.
@MainActor
enum StuckScenario {
  static func run() async throws {
    let (values, continuation) = AsyncStream.makeStream(of: Void.self)
    do {
      try await withVirtualMainActor(patience: .milliseconds(1)) { _ in
        try await Task.sleep(for: .seconds(3600))
        for await _ in values {}
        tell("cancelled: \(Task.isCancelled)")
      }
    } catch let error as StuckError {
      tell("stuck: \(error.waiting.contains("common modes"))")
    }
    continuation.finish()
    tell(
      "the next: \(try await withVirtualMainActor { time in try await Task.sleep(for: .seconds(1)); return time.elapsed })"
    )
  }
}
