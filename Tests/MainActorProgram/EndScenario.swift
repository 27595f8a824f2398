import Glibc
import Mainspring

/// How the program ends: as main does, whatever is in its loop.
@MainActor
enum EndScenario {
  struct Failure: Error {}

  static func returning() async {
    RunLoop.main.addTimer(every: .seconds(1000)) { _ in }
    Task { try await Task.sleep(for: .seconds(1000)) }
    await Task.detached {}.value
    tell("main returns")
  }

  static func throwing() async throws {
    await Task.detached {}.value
    tell("main throws")
    throw Failure()
  }

  static func exiting() async {
    RunLoop.main.addTimer(after: .milliseconds(1)) { _ in
      tell("a timer exits")
      exit(7)
    }
    try? await Task.sleep(for: .seconds(1000))
  }
}
