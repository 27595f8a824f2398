import StallReport
import Testing

@Suite struct `Timeline view` {
  @Test func `the full report reads like this`() {
    let text = Report.full().text(view: .timeline)
    #expect(text.hasPrefix(Report.full().headline))
    #expect(
      text.hasSuffix(
        """
          process  maild 2.3.1 [4121] on node-7, thread 4121 "maild"

              from        to  state how     calls, from the loop down   samples
              0 ms   1700 ms                timer callback              1-6
              0 ms   1700 ms  R     signal    MailStore.reindex()       1-6      MailStore.swift:88
              0 ms    900 ms  R     signal      MailStore.tokenize(_:)  1-4      MailStore.swift:131
              0 ms    104 ms  R     signal        memmove               1
            154 ms    268 ms  R     signal        memmove               3

        """))
  }

  @Test func `neighbours are merged, and what comes back later is a line of its own`() {
    var report = Report.bare()
    for (number, name) in ["!a", "!a", "!b", "!a"].enumerated() {
      report.addSample([name, "!f", "@timer"])
      report.samples[number].time = .milliseconds(100 * (number + 1))
    }
    report.samples[0].state = "S"
    report.samples[1].method = .unchanged
    #expect(
      rows(report) == [
        "      0 ms    400 ms                           timer callback             1-4",
        "      0 ms    400 ms                             f                        1-4",
        "      0 ms    200 ms  SR    signal, unchanged      a                      1-2",
        "    200 ms    300 ms  R     signal                 b                      3",
        "    300 ms    400 ms  R     signal                 a                      4",
      ])
  }

  @Test func `a sample without a stack says so in its place, and the last counts to the end`() throws {
    var report = Report.bare()
    report.addSample(["!f", "@timer"])
    report.samples[0].time = .milliseconds(100)
    report.samples.append(
      Report.Sample(
        time: .milliseconds(150), stack: nil, weight: .milliseconds(300), state: "D", method: .none))
    let rows = rows(report)
    try #require(rows.count == 3)
    #expect(rows[1].hasPrefix("      0 ms    100 ms  R     signal    f"))
    #expect(rows[2].hasPrefix("    100 ms    400 ms  D     none      (no stack)"))
  }

  @Test func `of too many lines the deepest calls are left out`() {
    var report = Report.bare()
    for sample in 0..<64 {
      let deep = (0..<90).map { "!function\($0)Of\(sample)" }
      report.addSample(deep + ["!shared", "@timer"])
      report.samples[sample].time = .milliseconds(sample * 50)
    }
    let rows = rows(report)
    #expect(rows.count < 162)
    #expect(rows.last == "  5632 lines of deeper calls left out")
    #expect(rows.filter { $0.contains("signal") }.count == 64)
  }

  private func rows(_ report: Report) -> [String] {
    let lines = report.text(view: .timeline).split(separator: "\n").map(String.init)
    return Array(lines.drop { !$0.contains("calls, from the loop down") }.dropFirst())
  }
}
