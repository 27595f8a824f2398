import CommandLineOptions
import Testing

@testable import ScrollList

@Suite struct `The command line of ScrollList` {
  private func loading(_ arguments: String...) throws -> Request.Loading? {
    guard case .open(let settings) = try Request(arguments) else { return nil }
    return settings.loading
  }

  @Test func `says how pictures are loaded`() throws {
    #expect(try loading() == .idleQueue(budget: nil))
    #expect(try loading("--budget=50ms") == .idleQueue(budget: .milliseconds(50)))
    #expect(try loading("--naive") == .naive(dropsNewest: false, whileScrolling: false))
    #expect(
      try loading("--naive", "--drop-newest", "--while-scrolling")
        == .naive(dropsNewest: true, whileScrolling: true))
  }

  @Test func `is refused where it is wrong`() {
    #expect(throws: UsageError.self) { try Request(["--naif"]) }
    #expect(throws: UsageError.self) { try Request(["--budget=soon"]) }
  }
}
