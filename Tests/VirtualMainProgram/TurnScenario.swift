import Mainspring
import MainspringTesting
import MainspringTestingMainActor

/// Closures that ask for virtual time at once have it one after the other.
@MainActor
enum TurnScenario {
  static func run() async throws {
    var tests: [Task<Void, any Error>] = []
    for index in 1...3 { tests.append(Task { try await test(index) }) }
    for test in tests { try await test.value }
  }

  private static func test(_ index: Int) async throws {
    try await withVirtualMainActor { time in
      try await Task.sleep(for: .seconds(3600))
      try await Task.sleep(for: .seconds(3600))
      tell("\(index): \(time.elapsed)")
    }
  }
}
