import StallReport
import Testing

@Suite struct Verdicts {
  typealias Row = (cpu: Int?, runnable: Int?, offCPU: Int?, throttled: Bool, verdict: Report.Verdict?)

  static let table: [Row] = [
    (60, 20, 20, false, .busy),
    (59, 20, 21, false, .mixed),
    (100, 0, 0, false, .busy),
    (50, 50, 0, false, .starved),
    (49, 49, 2, false, .mixed),
    (10, 10, 80, true, .starved),
    (70, 10, 20, true, .busy),
    (40, 0, 60, false, .blocked),
    (41, 0, 59, false, .mixed),
    // Without the scheduler's times, what is known may still decide.
    (80, nil, nil, false, .busy),
    (20, nil, nil, false, nil),
    (nil, 60, nil, false, .starved),
    (nil, nil, 90, false, .blocked),
    (nil, nil, nil, false, nil),
  ]

  @Test(arguments: table)
  func `the verdict follows the largest share`(row: Row) {
    let verdict = Report.Verdict(
      window: .seconds(1), cpu: row.cpu.map { .milliseconds(10 * $0) },
      runnable: row.runnable.map { .milliseconds(10 * $0) },
      offCPU: row.offCPU.map { .milliseconds(10 * $0) },
      isThrottled: row.throttled)
    #expect(verdict == row.verdict)
  }

  @Test func `an empty or unknown window has no verdict`() {
    #expect(Report.Verdict(window: .zero, cpu: .zero, runnable: .zero, offCPU: .zero) == nil)
    #expect(Report.Verdict(window: nil, cpu: .seconds(1), runnable: .zero, offCPU: .zero) == nil)
  }
}
