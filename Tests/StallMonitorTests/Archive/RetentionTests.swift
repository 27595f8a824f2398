import MainspringTesting
import StallReport
import Testing

@testable import StallMonitor

@Suite struct RetentionTests {
  private typealias Retention = StallMonitor.Configuration.Retention

  private func report(
    _ seconds: Int64, issue: Substring = "00000001", bytes: Int = 100, isDone: Bool = false,
    isOngoing: Bool = false
  ) -> KeptReport {
    KeptReport(
      stem: "\(Report.UnixTime.night(seconds).compactDescription)-0f6d1c3e", issue: issue, byteCount: bytes,
      isDone: isDone, isOngoing: isOngoing)
  }

  private let week: Int64 = 7 * 86_400

  @Test func `what is older than a week goes, even the last of its kind, and what goes on`() {
    let reports = [
      report(-week - 1), report(-week, issue: "00000002"),
      report(-week - 1, issue: "00000003", isOngoing: true),
    ]
    #expect(Retention().surplus(of: reports, at: .night()) == [reports[0], reports[2]])
  }

  @Test func `of too many the oldest go, but sent ones before, and never the newest of an issue`() {
    var retention = Retention()
    retention.reportCountMax = 3
    let reports = [
      report(-50, issue: "00000009"), report(-40), report(-30), report(-20, isDone: true), report(-10),
      report(-5, isOngoing: true),
    ]
    // The newest of the first issue is its only one; the newest of the other goes on.
    #expect(retention.surplus(of: reports, at: .night()) == [reports[3], reports[1], reports[2]])
  }

  @Test func `of too much the oldest go until it is little enough`() {
    var retention = Retention()
    retention.byteCountMax = 250
    let reports = [report(-30), report(-20, bytes: 10), report(-10, bytes: 200), report(-5, bytes: 40)]
    #expect(retention.surplus(of: reports, at: .night()) == [reports[0]])
  }

  @Test func `a date that lies ahead does not keep what has a true one from being kept`() {
    var retention = Retention()
    retention.reportCountMax = 2
    let reports = [report(-30), report(-20), report(90_000), report(900_000)]
    #expect(retention.surplus(of: reports, at: .night()) == [reports[2], reports[3]])
  }

  @Test func `a clock that is set back to its beginning takes nothing away by age`() {
    let reports = [report(-30), report(-20)]
    #expect(Retention().surplus(of: reports, at: Report.UnixTime(nanoseconds: 0)).isEmpty)
    #expect(Retention().surplus(of: reports, at: Report.UnixTime(nanoseconds: .min)).isEmpty)
  }

  @Test func `an age without end takes nothing away by age`() {
    var retention = Retention()
    retention.age = .seconds(Int64.max)
    #expect(retention.surplus(of: [report(-1_000_000_000)], at: .night()).isEmpty)
  }

  /// The rules one by one, without any thought of speed.
  private struct Naive {
    var retention: Retention
    var now: Int64

    /// - Parameter reports: with their dates, s.
    func kept(of reports: [(date: Int64, report: KeptReport)]) -> Set<KeptReport> {
      var left = reports.filter { $0.date >= now - Int64(retention.age.components.seconds) }
      while left.count > retention.reportCountMax
        || left.map(\.report.byteCount).reduce(0, +) > retention.byteCountMax
      {
        let removable = left.filter { one in
          let others = left.filter { $0.report.issue == one.report.issue }
          let newest = others.max { isBefore($0.date, $1.date) }!
          return !one.report.isOngoing && newest.report != one.report
        }
        let first = removable.min { one, other in
          one.report.isDone == other.report.isDone ? isBefore(one.date, other.date) : one.report.isDone
        }
        guard let first else { break }
        left.removeAll { $0.report == first.report }
      }
      return Set(left.map(\.report))
    }

    private func isBefore(_ one: Int64, _ other: Int64) -> Bool {
      let (isOneAhead, isOtherAhead) = (one > now + 86_400, other > now + 86_400)
      return isOneAhead == isOtherAhead ? one < other : isOneAhead
    }
  }

  @Test func `it keeps what the rules say one by one, under clocks that jump`() {
    var random = SeededRandom()
    var now: Int64 = 0
    for _ in 0..<500 {
      // An hour, weeks, or years, ahead or back.
      now += [3600, 86_400 * 5, -86_400 * 20, 86_400 * 700, -86_400 * 600].randomElement(using: &random)!
      var retention = Retention()
      retention.reportCountMax = .random(in: 1...20, using: &random)
      retention.byteCountMax = .random(in: 1...3000, using: &random)
      let dates = Set(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          now + Int64.random(in: -86_400 * 9...86_400 * 3, using: &random)
        })
      let reports = dates.map { date in
        (
          date,
          report(
            date, issue: "0000000\(Int.random(in: 0...5, using: &random))",
            bytes: .random(in: 0...300, using: &random), isDone: .random(using: &random),
            isOngoing: Int.random(in: 0..<8, using: &random) == 0)
        )
      }
      let surplus = Set(retention.surplus(of: reports.map(\.1), at: .night(now)))
      let kept = Set(reports.map(\.1)).subtracting(surplus)
      #expect(kept == Naive(retention: retention, now: now).kept(of: reports), "seed \(random.seed)")
    }
  }
}
