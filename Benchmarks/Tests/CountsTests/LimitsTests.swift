import Testing

@testable import Counts

@Suite struct `The file of limits` {
  private let text = """
    # for people

    post  calls              0  nobody sleeps
    post  instructions     726  a lock, and more

    """

  @Test func `a line is an operation, a measure, a limit and its reason`() throws {
    let limits = try Limits(text: text)
    #expect(limits["post", .calls] == Limits.Limit(number: 0, reason: "nobody sleeps"))
    #expect(limits["post", .instructions]?.reason == "a lock, and more")
    #expect(limits["post", .allocations] == nil)
    #expect(limits.operations == ["post"])
  }

  @Test func `the file is written as it was read`() throws {
    #expect(try Limits(text: text).text == text)
  }

  @Test func `a lowered limit keeps its line and its reason, and columns stay aligned`() throws {
    var limits = try Limits(text: text)
    limits.lower("post", .instructions, to: 9)
    #expect(limits.text == text.replacing("  726", with: "    9"))
  }

  @Test(arguments: [
    "post calls 0", "post times 0 why", "post calls many why", "post calls -1 why", "post calls 0 ",
  ])
  func `a line that lacks something is told with its number`(line: String) {
    let failure = #expect(throws: Limits.Malformed.self) { try Limits(text: "# one\n" + line + "\n") }
    #expect(failure?.line == 2)
  }

  @Test func `two limits of one thing are a mistake`() {
    #expect(throws: Limits.Malformed.self) { try Limits(text: "a calls 0 why\na calls 1 why\n") }
  }
}
