import StallReport

extension StallMonitor.Configuration {
  /// How long, and how much of, an archive is kept.
  ///
  /// What is too old goes in any case. Where there are too many reports, or they take too much room, those go first that
  /// were sent, and of these, and then of the others, the oldest; but the newest report of each issue stays as long as it
  /// is not too old, and so does one whose stall goes on. A date that lies ahead by more than a day is a mistake of some
  /// clock's: such a report is never too old, and counts as the oldest of all.
  public struct Retention: Sendable, Equatable {
    /// Reports of stalls that began so long ago are taken away.
    public var age: Duration = .seconds(7 * 86_400)
    /// The most bytes that the files of all reports may have.
    public var byteCountMax = 64 << 20
    /// The most reports.
    public var reportCountMax = 500

    public init() {}
  }
}

/// What the names of a report's files say of it, and how long they are.
struct KeptReport: Hashable {
  /// Sorts by the stall's start.
  var stem: Substring
  var issue: Substring
  var byteCount: Int
  /// Whether a server has it, or does not want it.
  var isDone = false
  var isOngoing = false
}

extension StallMonitor.Configuration.Retention {
  /// Which reports are to be taken away, the first to go first. A pure function of what there is and the time.
  ///
  /// - Complexity: O(*n* log *n*).
  func surplus(of reports: [KeptReport], at now: Report.UnixTime) -> [KeptReport] {
    let days = Days(now, age: age)
    let (old, rest) = (reports.filter { days.isTooOld($0) }, reports.filter { !days.isTooOld($0) })
    var newest: [Substring: KeptReport] = [:]
    for report in rest where newest[report.issue].map({ days.isBefore($0, report) }) ?? true {
      newest[report.issue] = report
    }
    var (count, bytes) = (rest.count, rest.reduce(0) { $0 + $1.byteCount })
    var surplus = old.sorted { $0.stem < $1.stem }
    for report in rest.sorted(by: { $0.isDone == $1.isDone ? days.isBefore($0, $1) : $0.isDone }) {
      guard count > reportCountMax || bytes > byteCountMax else { break }
      guard !report.isOngoing, newest[report.issue] != report else { continue }
      surplus.append(report)
      (count, bytes) = (count - 1, bytes - report.byteCount)
    }
    return surplus
  }

  /// The borders between what is too old, what is plausible, and what is ahead of its time, as stems compare.
  private struct Days {
    let oldest: String
    let latest: String

    init(_ now: Report.UnixTime, age: Duration) {
      let (first, isBeforeAll) = now.nanoseconds.subtractingReportingOverflow(
        Int64(clamping: age.wholeNanoseconds))
      oldest = Report.UnixTime(nanoseconds: isBeforeAll ? .min : first).compactDescription
      let (last, isAfterAll) = now.nanoseconds.addingReportingOverflow(86_400_000_000_000)
      latest = Report.UnixTime(nanoseconds: isAfterAll ? .max : last).compactDescription
    }

    func isTooOld(_ report: KeptReport) -> Bool { report.stem < oldest }
    private func isAhead(_ report: KeptReport) -> Bool { report.stem.prefix(latest.utf8.count) > latest }

    func isBefore(_ one: KeptReport, _ other: KeptReport) -> Bool {
      isAhead(one) == isAhead(other) ? one.stem < other.stem : isAhead(one)
    }
  }
}
