import CommandLineOptions
import Testing

@testable import Comparison

@Suite struct `Requests` {
  private func compared(_ arguments: String...) throws -> [String] {
    guard case .compare(let scenarios, _) = try Request(arguments) else { return [] }
    return scenarios.map(\.name)
  }

  @Test func `without options everything is compared`() throws {
    #expect(try compared() == Scenarios.all.map(\.name))
  }

  @Test func `only what is named is compared, in that order`() throws {
    #expect(try compared("--only=stop-run,huge") == ["stop-run", "huge"])
  }

  @Test func `names are unlike each other, and texts are one line`() {
    let names = Scenarios.all.map(\.name)
    #expect(Set(names).count == names.count)
    for scenario in Scenarios.all {
      #expect(!scenario.title.isEmpty && !scenario.title.contains("\n"))
      #expect(!scenario.rules.mainspring.isEmpty)
    }
  }

  @Test(arguments: [
    (["--only=stop-rum"], "--only: 'stop-rum' is no scenario; did you mean stop-run?"),
    (["--scenario=huge"], "--side: the value is missing; write --side=SIDE"),
    (["--side=cf"], "--scenario: the value is missing; write --scenario=NAME"),
    (["--scenario=huge", "--side=gnu"], "--side: 'gnu' is no side; write cf or mainspring"),
    (["--json", "--markdown"], "--markdown: it cannot go with --json; leave one out"),
  ])
  func `what is wrong is said in a line that names the option`(arguments: [String], message: String) {
    let error = #expect(throws: UsageError.self) { _ = try Request(arguments) }
    #expect(error?.description == message)
  }
}
