import StallReport
import Testing

@Suite struct `Chrome trace` {
  private typealias Event = [String: Any]

  private func events(_ reports: [Report]) throws -> [Event] {
    try #require(try object(.chromeTrace, reports)["traceEvents"] as? [Event])
  }

  @Test func `calls are drawn from where a stack first has them to where it last has`() throws {
    let calls = try events([.full()]).filter { ["app", "library"].contains($0["cat"] as? String) }
    let drawn = calls.map { "\($0["name"] ?? "") \($0["ts"] ?? "")+\($0["dur"] ?? "")" }
    #expect(
      drawn == [
        "main 430000+1700000", "RunLoop.run(in:) 430000+1700000", "callOut 430000+1700000",
        "MailStore.reindex() 430000+1700000", "MailStore.tokenize(_:) 430000+900000",
        "memmove 430000+104000", "memmove 584000+114000",
      ])
    #expect(calls[3]["cname"] as? String == "terrible", "the culprit")
  }

  @Test func `the stall, the pass before and the note stand on the stalled thread`() throws {
    let events = try events([.full()])
    let stall = try #require(events.first { $0["cat"] as? String == "stall" && $0["ph"] as? String == "X" })
    #expect(stall["name"] as? String == "stall: MailStore.reindex() in timer callback, busy")
    #expect(stall["dur"] as? Int == 1_712_000)
    let pass = try #require(events.first { $0["cat"] as? String == "pass" })
    #expect(pass["ts"] as? Int == 220_000)
    let note = try #require(events.first { $0["cat"] as? String == "breadcrumb" })
    #expect(note["ts"] as? Int == 0, "the earliest is where the axis begins")
    for event in [stall, pass, note] { #expect(event["tid"] as? Int == 4121) }
  }

  @Test func `an arrow leads from each thread that waits to the one it waits for`() throws {
    let arrows = try events([.full(), .full()]).filter { $0["cat"] as? String == "wait" }
    #expect(arrows.map { $0["ph"] as? String } == ["s", "f", "s", "f"])
    #expect(arrows.map { $0["tid"] as? Int } == [4130, 4121, 4130, 4121])
    #expect(arrows.map { $0["id"] as? Int } == [1, 1, 2, 2])
  }

  @Test func `each report is a process of its own, and all stalls begin at the same place`() throws {
    let stalls = try events([.full(), .deadlocked()]).filter {
      $0["cat"] as? String == "stall" && $0["ph"] as? String == "X"
    }
    #expect(stalls.map { $0["pid"] as? Int } == [1, 2])
    #expect(stalls.map { $0["ts"] as? Int } == [430_000, 430_000])
  }

  @Test func `passes that overlap by rounding are clipped`() throws {
    var report = Report.bare()
    report.passes.before = [
      .init(time: .milliseconds(-20), duration: .milliseconds(15)),
      .init(time: .milliseconds(-10), duration: .milliseconds(15)),
    ]
    let passes = try events([report]).filter { $0["cat"] as? String == "pass" }
    #expect(passes.map { $0["dur"] as? Int } == [10_000, 10_000])
  }
}
