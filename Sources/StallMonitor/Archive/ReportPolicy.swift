import StallReport

/// Decides which stalls are reported in full. A pure value: the time is given.
struct ReportPolicy {
  /// What a decision is made on.
  struct Stall {
    var id: Report.Identifier
    /// The eight digits of its issue.
    var issue: String
    /// The issue in words.
    var title = ""
    /// It has reached the first of the severe thresholds.
    var isSevere = false
    /// No further state comes.
    var isOver = false
  }

  /// Why a stall is reported in full, as reports say it.
  enum Reason: String {
    case firstInDay = "first-in-day"
    case firstInHour = "new-in-hour"
    case nthInHour = "nth-in-hour"
    case severe = "severe"
    /// There are no limits.
    case all = "all"
  }

  /// Why one is only counted.
  enum Omission: Equatable {
    /// Its number in the hour is none of 1, 2, 3, 5, 8, 13 …
    case repeated
    case issueInMinute, issueInDay, minute, day
    /// More issues in a day than are told apart.
    case newIssues
  }

  struct Admission: Equatable {
    var reason: Reason
    /// How many of its issue were only counted since the last full report.
    var suppressed: Int
    /// Its number in the process, from 1.
    var sequence: Int
  }

  enum Verdict: Equatable {
    case full(Admission)
    case counted(Omission)
  }

  /// A decision that later states of the stall follow.
  private struct Decision {
    var verdict: Verdict
    var sequence: Int
    var isSevere: Bool
  }

  private let limits: StallMonitor.Configuration.Limits?
  private let start: UInt64
  private var now: UInt64
  private var sequence = 0
  private var decisions: [Report.Identifier: Decision] = [:]
  private var issues: [String: IssueHistory] = [:]
  private var budget: ReportBudget

  /// - Parameters:
  ///   - limits: nil for none.
  ///   - start: from when on days and hours are counted, ns.
  init(_ limits: StallMonitor.Configuration.Limits?, start: UInt64) {
    self.limits = limits
    self.start = start
    now = start
    budget = ReportBudget(limits ?? StallMonitor.Configuration.Limits())
  }

  /// Whether a stall is reported in full.
  ///
  /// Decided once for all its states; only one that was counted at first is looked at once more when it has become severe.
  ///
  /// - Parameter moment: a time on a clock that is never set back, ns.
  mutating func judge(_ stall: Stall, at moment: UInt64) -> Verdict {
    now = max(now, moment)
    let former = decisions[stall.id]
    let decision = decide(stall, former)
    decisions[stall.id] = stall.isOver ? nil : decision
    if decisions.count > Self.decisionsMax { decisions.removeValue(forKey: decisions.keys.first!) }
    return decision.verdict
  }

  /// Stalls that are on at once are not more, unless the ends of some were lost.
  private static let decisionsMax = 1024

  private mutating func decide(_ stall: Stall, _ former: Decision?) -> Decision {
    if let former {
      guard case .counted = former.verdict, stall.isSevere, !former.isSevere else { return former }
    } else {
      sequence += 1
    }
    let number = former?.sequence ?? sequence
    var issue = history(of: stall)
    let verdict = verdict(on: stall, number, &issue, isKnown: former != nil)
    issues[stall.issue] = issue
    return Decision(verdict: verdict, sequence: number, isSevere: stall.isSevere)
  }

  private mutating func verdict(
    on stall: Stall, _ number: Int, _ issue: inout IssueHistory, isKnown: Bool
  ) -> Verdict {
    if !isKnown { issue.noteStall() }
    switch reason(for: stall, &issue) {
    case .failure(let omission):
      if !isKnown { issue.suppressed += 1 }
      return .counted(omission.reason)
    case .success(let reason):
      // It is told after all: it is none of those that were only counted.
      if isKnown { issue.suppressed -= 1 }
      defer { issue.noteFull(at: now) }
      return .full(Admission(reason: reason, suppressed: issue.suppressed, sequence: number))
    }
  }

  private struct Refusal: Error {
    var reason: Omission
    init(_ reason: Omission) { self.reason = reason }
  }

  /// The issue's own rules first, so that what they hold back costs others nothing.
  private mutating func reason(for stall: Stall, _ issue: inout IssueHistory) -> Result<Reason, Refusal> {
    guard let limits else { return .success(.all) }
    let isFirstSevere = stall.isSevere && !issue.hasBeenSevereInHour
    if stall.isSevere { issue.hasBeenSevereInHour = true }
    guard issue.fullInDay < limits.perIssueAndDay else { return .failure(Refusal(.issueInDay)) }
    if issue.fullInDay == 0 {
      return budget.takeFirst() ? .success(.firstInDay) : .failure(Refusal(.newIssues))
    }
    guard isFirstSevere || issue.countInHour.isFibonacci else { return .failure(Refusal(.repeated)) }
    let reason: Reason = isFirstSevere ? .severe : issue.countInHour == 1 ? .firstInHour : .nthInHour
    guard issue.fullCount(since: now, within: ReportBudget.minute) < Self.perIssueAndMinute else {
      return .failure(Refusal(.issueInMinute))
    }
    switch budget.take(isSevere: stall.isSevere, at: now) {
    case .usual: return .success(reason)
    case .reserved: return .success(.severe)
    case .none(let omission): return .failure(Refusal(omission))
    }
  }

  /// Full reports of one issue in a minute, the first of a day among them.
  private static let perIssueAndMinute = 2

  private mutating func history(of stall: Stall) -> IssueHistory {
    let age = now - start
    budget.beginDay(age / ReportBudget.day)
    var issue = issues[stall.issue] ?? IssueHistory()
    issue.title = stall.title
    issue.begin(hour: age / ReportBudget.hour, day: age / ReportBudget.day)
    if issues.count >= Self.issuesMax, issues[stall.issue] == nil { forgetOldest() }
    return issue
  }

  /// So many issues are told apart: a program that makes new ones without end is not to fill the memory.
  private static let issuesMax = 1000
  private var forgotten = 0

  private mutating func forgetOldest() {
    guard let oldest = issues.min(by: { $0.value.lastHour < $1.value.lastHour }) else { return }
    forgotten += oldest.value.suppressed
    issues[oldest.key] = nil
  }

  /// What no report has said yet: how many stalls of which issue, in words, were only counted since the last full report;
  /// the most first.
  var untold: [(title: String, count: Int)] {
    let known = issues.values.filter { $0.suppressed > 0 }.map { (title: $0.title, count: $0.suppressed) }
    return (known + (forgotten > 0 ? [(title: "others", count: forgotten)] : []))
      .sorted { ($1.count, $0.title) < ($0.count, $1.title) }
  }
}
