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

  /// Moves the cursor, begins a line, turns the direction of what follows.
  private static let hostile = "a\u{1B}[2Jb\nc\u{2028}d\u{202E}e\u{9B}\u{7}"

  @Test(arguments: Report.View.allCases)
  func `names from outside cannot move the cursor`(view: Report.View) {
    let text = Self.hostileReport().text(view: view) + Self.hostileReport().summary
    #expect(
      text.unicodeScalars.allSatisfy {
        $0 == "\n"
          || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
            && ![0x2028, 0x202E].contains($0.value)
      })
    #expect(text.contains("a\u{FFFD}[2Jb\u{FFFD}c"))
    let friendly = Report.deadlocked().text(view: view).split(separator: "\n").count
    #expect(text.split(separator: "\n").count < friendly + 20)
  }

  /// A report with such a name in every place that has one.
  private static func hostileReport() -> Report {
    let name = hostile
    var report = Report.deadlocked()
    report.app = Report.Application(name: name, version: name, buildID: name)
    (report.host.name, report.host.os, report.host.kernel, report.host.arch) = (name, name, name, name)
    (report.host.id, report.device.model) = (name, name)
    report.loop.name = name
    report.loop.thread.name = name
    report.phase = Report.Phase(name: Report.PhaseName(rawValue: name))
    report.phase.item = Report.Item(kind: name, madeAt: Report.SourceLocation(file: name, line: 1))
    report.phase.item?.symbol = name
    report.cost.systemCall = name
    report.confidence.flags = [name]
    report.stacks.images = [Report.Image(name: name, buildID: name, base: .max, end: 0, isInApp: true)]
    let frame = Report.Frame(
      image: 0, offset: .max, symbol: name, location: Report.SourceLocation(file: name, line: 1),
      isInApp: true)
    for number in report.threads.indices {
      report.threads[number].name.name = name
      report.threads[number].state = "\u{7}"
      report.threads[number].stack = report.stacks.index(ofStack: [frame, .named("@timer")])
      report.threads[number].waitsOn?.kind = name
    }
    report.threads[0].registers = [name: 1]
    report.samples[0].stack = report.threads[0].stack
    report.samples[0].state = "\u{1B}"
    return report
  }

  @Test(arguments: Report.View.allCases, [60, 80, 120])
  func `lines keep to the width`(view: Report.View, width: Int) {
    var report = Report.deadlocked()
    let deep = (0..<90).map { "!function\($0)WithAVeryLongNameThatGoesOnAndOnAndOn(_:with:and:)" }
    report.addSample(deep + ["@timer"])
    report.threads[0].stack = report.samples[1].stack
    report.threads[0].registers = ["rip": 1, "rsp": 2, "rbp": 3, "rax": 4, "rbx": 5]
    report.app.version = String(repeating: "very", count: 60)
    report.host.os = report.app.version
    let lines = report.text(view: view, style: .init(isColored: false, width: width)).split(separator: "\n")
    #expect(lines.filter { $0.count > width } == [])
    #expect(lines.count < 200)
  }

  @Test(arguments: Report.View.allCases)
  func `colours add nothing but escape sequences to any view`(view: Report.View) {
    let colored = Report.full().text(view: view, style: .colored)
    #expect(colored != Report.full().text(view: view))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == Report.full().text(view: view))
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
