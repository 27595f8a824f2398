import CommandLineOptions
import Testing

@testable import Counts

@Suite struct `The operations` {
  @Test func `names differ, and every operation says what it is in a line`() {
    let all = Operations.all
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(all.allSatisfy { !$0.what.isEmpty && $0.what.count <= 100 && !$0.what.hasSuffix(".") })
  }

  @Test(arguments: [["--only=pst"], ["--json", "--quiet"], ["--measure"], ["post"]])
  func `what cannot be done is told before anything is`(arguments: [String]) {
    #expect(throws: UsageError.self) { try Request(arguments) }
  }
}
