import StallReport
import Testing

@Suite struct `Text view` {
  @Test func `the full report reads like this`() {
    #expect(
      Report.full().text() == """
        Stall of 1712 ms on loop "main" (threshold 250 ms), busy: 96 % on the CPU
          when     2026-09-22T14:13:20.123Z, certain after 268 ms
          callout  timer made at MailStore.swift:41, 3.1 ms late: MailStore.reindex()
          culprit  MailStore.reindex() at MailStore.swift:88, 100 % of the sampled time
          process  maild 2.3.1 [4121] on node-7, thread 4121 "maild"

              time     %      calls, from the loop down
           1700 ms   100      timer callback
           1700 ms   100  ->    MailStore.reindex()       MailStore.swift:88
            900 ms    53          MailStore.tokenize(_:)  MailStore.swift:131
            218 ms    13            memmove

        """)
  }

  @Test func `colours add nothing but escape sequences`() {
    let report = Report.full()
    let colored = report.text(style: .colored)
    #expect(colored.contains("\u{1B}[1;31m->\u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == report.text(style: .plain))
  }

  @Test func `a bare report says what it does not know and nothing false`() {
    #expect(
      Report.bare().text() == """
        Stall of 1712 ms on loop "main" (threshold 250 ms)
          when     2026-09-22T14:13:20.123Z
          callout  timer callback
          process  maild [4121], thread 4121

          No stack could be taken.

        """)
  }

  @Test func `the headline names the verdict and what it rests on`() {
    func headline(_ cost: Report.Cost) -> String { Report.bare(cost: cost).headline }
    var blocked = Report.Cost(
      window: .seconds(1), cpu: .milliseconds(10), runnable: .zero, offCPU: .milliseconds(990))
    #expect(headline(blocked).hasSuffix(", blocked: 99 % waiting"))
    blocked.systemCall = "fsync"
    #expect(headline(blocked).hasSuffix(", blocked: 99 % waiting in fsync"))
    let mixed = Report.Cost(
      window: .seconds(1), cpu: .milliseconds(400), runnable: .milliseconds(300), offCPU: .milliseconds(300))
    #expect(headline(mixed).hasSuffix(", mixed: 40 % on the CPU, 30 % ready but not run, 30 % waiting"))
  }

  @Test func `names from outside cannot move the cursor`() {
    var report = Report.bare()
    report.loop.name = "a\u{1B}[2Jb\nc"
    report.addSample(["!evil\u{9B}\u{7}", "@timer"])
    let text = report.text() + report.summary
    #expect(
      text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    #expect(text.contains("a\u{FFFD}[2Jb\u{FFFD}c"))
  }

  @Test func `lines keep to the width`() {
    var report = Report.bare()
    let deep = (0..<90).map { "!function\($0)WithAVeryLongNameThatGoesOnAndOnAndOn(_:with:and:)" }
    report.addSample(deep + ["@timer"])
    let lines = report.text(style: .init(isColored: false, width: 80)).split(separator: "\n")
    #expect(lines.dropFirst(6).allSatisfy { $0.count <= 80 })
    #expect(lines.count < 70)
  }

  @Test func `summaries stand in columns`() {
    #expect(
      [Report.summaryHeader, Report.full().summary, Report.bare().summary] == [
        "WHEN (UTC)               LENGTH  VERDICT   LOOP          PHASE         ISSUE     CULPRIT",
        "2026-09-22T14:13:20Z    1712 ms  busy      main          timer         03a3b7c7  MailStore.reindex()",
        "2026-09-22T14:13:20Z    1712 ms  -         main          timer         5379fc01  no-app-code",
      ])
  }
}
