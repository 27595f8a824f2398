import Mainspring
import StallReport
import Synchronization
import Testing

@testable import StallMonitor

@Suite struct MetricsTests {
  private func report(_ loop: String, _ kind: Report.Kind, _ duration: Duration) -> Report {
    var report = Report.sample(duration: duration)
    report.loop.name = loop
    report.kind = kind
    return report
  }

  @Test func `stalls and their time add up by loop and kind`() {
    let counts = StallCounts()
    counts.note(report("main", .stall, .milliseconds(300)))
    counts.note(report("main", .stall, .milliseconds(500)))
    counts.note(report("main", .backlog, .seconds(1)))
    counts.note(report("net", .stall, .seconds(2)))
    let stalls = counts.current.stalls
    #expect(stalls.count == 3)
    #expect(
      stalls[StallCounts.Key(loop: "main", kind: .stall)]
        == StallCounts.Sum(count: 2, time: .milliseconds(800)))
  }

  @Test func `names without end do not fill the memory`() {
    let counts = StallCounts()
    for number in 0..<(StallCounts.keysMax + 10) {
      counts.note(report("loop \(number)", .stall, .seconds(1)))
    }
    let stalls = counts.current.stalls
    #expect(stalls.count == StallCounts.keysMax + 1)
    #expect(stalls[StallCounts.Key(loop: StallCounts.others, kind: .stall)]?.count == 10)
  }

  @Test func `what a monitor found is there as Prometheus' text, and every pass is counted`() throws {
    let stalled = StalledLoop()
    var configuration = stalled.configuration()
    configuration.measuresLag = true
    let monitor = try StallMonitor(configuration)
    TestThread.run {
      let loop = RunLoop.current
      monitor.watch(loop, as: "tested")
      loop.perform(in: .default) { _ = stalled.spinUntilConfirmed() }
      loop.run()
      // While the loop is there: it takes its counts with it.
      #expect(monitor.metricsText().contains(#"mainspring_pass_seconds_bucket{loop="tested",le="+Inf"} "#))
      #expect((loop.lag?.longest ?? .zero) >= .milliseconds(40))
    }
    #expect(monitor.stop(waitingFor: .seconds(30)))
    let text = monitor.metricsText()
    #expect(text.contains("# TYPE mainspring_stalls_total counter\n"))
    #expect(text.contains(#"mainspring_stalls_total{loop="tested",kind="stall"} 1"#))
    #expect(text.contains(#"mainspring_stall_seconds_total{loop="tested",kind="stall"} "#))
    #expect(text.contains(#"mainspring_stall_reports_total{fate="kept"} 0"#))
    let report = try #require(stalled.reports.withLock { $0.last })
    #expect(!report.passes.histogram.isEmpty)
  }
}
