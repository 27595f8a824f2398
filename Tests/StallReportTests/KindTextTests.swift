import StallReport
import Testing

@Suite struct `Kinds of stalls in words` {
  @Test func `a deadlock names its threads one by one`() {
    #expect(
      Report.deadlocked().text() == """
        Deadlock of 1712 ms so far on loop "main" (threshold 250 ms): 2 threads wait for each other,
        blocked: 100 % waiting in futex
          when     2026-09-22T14:13:20.123Z
          deadlock thread 4121 "maild" waits in Store.save() at Some.swift:12 for futex 0xc78, held by
                   thread 4130 "db-writer" in Index.update() at Some.swift:40
                   thread 4130 "db-writer" waits in Index.update() at Some.swift:40 for futex 0xd00, held by
                   thread 4121 "maild" in Store.save() at Some.swift:12
          callout  timer callback
          culprit  Store.save() at Some.swift:12, 100 % of the sampled time
          process  maild [4121], thread 4121

              time     %      calls, from the loop down
           1712 ms   100      timer callback
           1712 ms   100  ->    Store.save()       Some.swift:12
           1712 ms   100          __lll_lock_wait

        """)
  }

  @Test func `a cycle of which the threads are not known is still told`() {
    var report = Report.bare(kind: .deadlock)
    report.waits.cycle = [1, 2, 3]
    report.waits.edges = [Report.Waits.Edge(waiter: 2, owner: 3, kind: "pipe")]
    let text = report.text()
    #expect(text.contains("3 threads wait for each other"))
    #expect(text.contains("deadlock thread 1 waits for something, held by thread 2\n"))
    #expect(text.contains("         thread 2 waits for pipe, held by thread 3\n"))
    #expect(text.contains("         thread 3 waits for something, held by thread 1\n"))
    report.waits.cycle = []
    #expect(report.text().contains("a cycle of waits"))
    report.waits.cycle = [1]
    #expect(report.headline.contains(": its thread waits for itself"))
  }

  @Test func `a thread that waits for another without a cycle says for whom`() {
    var report = Report.deadlocked()
    report.kind = .stall
    report.waits.cycle = nil
    #expect(
      report.text().contains(
        "\n  waits    for futex 0xc78, held by thread 4130 \"db-writer\" in Index.update() at Some.swift:40\n"
      ))
  }

  @Test func `a backlog says how many items there were, a saturation is of many passes`() {
    let text = Report.saturated().text()
    #expect(
      text.hasPrefix("Saturation of 1712 ms on loop \"main\" (threshold 250 ms): pass after pass without"))
    #expect(!text.contains("\n  items "))
    var backlog = Report.saturated()
    backlog.kind = .backlog
    #expect(
      backlog.headline
        == "Backlog of 1712 ms on loop \"main\" (threshold 250 ms): 300 items in one pass, none of them long")
    #expect(backlog.text().contains("\n  items    300 items, the longest took 5 ms\n"))
    backlog.shape = Report.Shape()
    #expect(backlog.headline.hasSuffix(": many items in one pass, none of them long"))
  }

  @Test func `starvation blames the host and no function`() {
    var report = Report.starved()
    report.addSample(["!innocent()", "@timer"])
    #expect(
      report.headline.hasSuffix(": the host did not let it run, starved: 75 % ready but not run"))
    let head = report.text().split(separator: "\n").dropLast(3).joined(separator: "\n")
    #expect(
      head.contains("  host     2 processors, 75 % of the last 10 s short of them, taken off one 746 times"))
    #expect(!head.contains("innocent"))
  }
}
