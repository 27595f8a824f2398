import Testing

@testable import Counts

@Suite struct `Reports` {
  private let limits: Limits
  private let post = Operation("post", "what \"posting\" is", times: 100) { { _ in } }

  init() throws {
    limits = try Limits(
      text: "post calls 0 nobody sleeps\npost allocations 1 the closure\npost instructions 700 so\n")
  }

  private func report(calls: Int = 0, allocations: Int = 200, instructions: Int = 140_000) -> Report {
    let counts: [Measure: Count] = [
      .calls: Count(once: 0, thrice: calls, parts: ["futex": .init(once: 0, thrice: calls)]),
      .allocations: Count(once: 0, thrice: allocations),
      .instructions: Count(once: 0, thrice: instructions),
    ]
    return Report(rows: [Row(post, counts, limits)], unknown: [], duration: .seconds(3))
  }

  @Test func `a table is aligned and says how all is`() {
    #expect(
      report().text(isColored: false) == """
        OPERATION  CALLS       ALLOCATIONS       INSTRUCTIONS
        post           0 of 0            1 of 1           700 of 700

        3 counts of 1 operation in 3 s: all within their limits.

        """)
    #expect(report().isAcceptable)
  }

  @Test func `what is over is marked, and told with its parts and the limit's reason`() {
    let report = report(calls: 200)
    #expect(!report.isAcceptable)
    #expect(report.text(isColored: false).contains("1 of 0 ✗"))
    #expect(report.complaints == "post: 1 calls (futex 1) where there may be 0: nobody sleeps\n")
    #expect(report.text(isColored: true).contains("\u{1B}[31m"))
  }

  @Test func `what is well below is marked, and is no failure`() {
    let report = report(allocations: 0)
    #expect(report.isAcceptable)
    #expect(report.complaints.isEmpty)
    #expect(report.text(isColored: false).contains("0 of 1 ↓"))
    #expect(report.foot.contains("1 well below"))
  }

  @Test func `a limit of an operation that there is not is a failure`() {
    let stray = Report(rows: [], unknown: ["poste"], duration: .zero)
    #expect(!stray.isAcceptable)
    #expect(stray.complaints.contains("poste"))
  }

  @Test func `JSON has the numbers, the limits and the parts`() {
    let json = report(calls: 200).json
    #expect(json.contains("\"what\": \"what \\\"posting\\\" is\""))
    #expect(json.contains("\"futex\": 1"))
    #expect(json.contains("\"verdict\": \"over\""))
    #expect(json.contains("\"limit\": 700"))
  }
}
