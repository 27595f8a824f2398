import MainspringTesting
import StallReport
import Testing

@testable import StallMonitor

@Suite struct ReportPolicyTests {
  private static let minute: UInt64 = 60_000_000_000
  private static let hour = 60 * minute
  private static let day = 24 * hour

  private func stall(
    _ issue: String = "a", id: Report.Identifier = .random(), isSevere: Bool = false, isOver: Bool = false
  ) -> ReportPolicy.Stall {
    ReportPolicy.Stall(id: id, issue: issue, title: "title of \(issue)", isSevere: isSevere, isOver: isOver)
  }

  private func policy(
    perMinute: Int = 5, perDay: Int = 100, perIssueAndDay: Int = 20
  ) -> ReportPolicy {
    var limits = StallMonitor.Configuration.Limits()
    (limits.perMinute, limits.perDay, limits.perIssueAndDay) = (perMinute, perDay, perIssueAndDay)
    return ReportPolicy(limits, start: 0)
  }

  @Test func `of an hour's stalls of an issue the 1st, 2nd, 3rd, 5th, 8th, 13th and 21st are told in full`() {
    var policy = policy()
    let told = (1...30).compactMap { number -> [Int]? in
      let verdict = policy.judge(stall(isOver: true), at: UInt64(number) * Self.minute)
      guard case .full(let admission) = verdict else { return nil }
      #expect(admission.sequence == number)
      return [number, admission.suppressed]
    }
    #expect(told == [[1, 0], [2, 0], [3, 0], [5, 1], [8, 2], [13, 4], [21, 7]])
    #expect(policy.untold.map(\.count) == [9])
    #expect(policy.untold.map(\.title) == ["title of a"])
  }

  @Test func `without limits every stall is told`() {
    var policy = ReportPolicy(nil, start: 0)
    for number in 1...200 {
      let expected = ReportPolicy.Admission(reason: .all, suppressed: 0, sequence: number)
      #expect(policy.judge(stall(isOver: true), at: 0) == .full(expected))
    }
  }

  @Test func `the reason is told`() {
    var policy = policy()
    func reason(_ verdict: ReportPolicy.Verdict) -> ReportPolicy.Reason? {
      if case .full(let admission) = verdict { admission.reason } else { nil }
    }
    #expect(reason(policy.judge(stall(), at: 0)) == .firstInDay)
    #expect(reason(policy.judge(stall(), at: Self.minute)) == .nthInHour)
    #expect(reason(policy.judge(stall(), at: Self.hour)) == .firstInHour)
    #expect(reason(policy.judge(stall(isSevere: true), at: Self.hour + 1)) == .severe)
  }

  @Test func `a stall is decided on once, and its later states follow`() {
    var policy = policy()
    let (first, fourth) = (Report.Identifier.random(), Report.Identifier.random())
    let told = policy.judge(stall(id: first), at: 0)
    for number in 1...2 { _ = policy.judge(stall(isOver: true), at: UInt64(number) * Self.minute) }
    #expect(policy.judge(stall(id: fourth), at: 4 * Self.minute) == .counted(.repeated))
    #expect(policy.judge(stall(id: fourth, isOver: true), at: 5 * Self.minute) == .counted(.repeated))
    #expect(policy.judge(stall(id: first), at: 10 * Self.minute) == told)
    // In another issue by then, too: what was found later does not change what was decided.
    #expect(policy.judge(stall("b", id: first, isOver: true), at: Self.day) == told)
  }

  @Test func `one that was only counted is told if it becomes severe, once an hour`() {
    var policy = policy()
    for number in 0...2 { _ = policy.judge(stall(isOver: true), at: UInt64(number) * Self.minute) }
    let id = Report.Identifier.random()
    #expect(policy.judge(stall(id: id), at: 10 * Self.minute) == .counted(.repeated))
    let verdict = policy.judge(stall(id: id, isSevere: true), at: 11 * Self.minute)
    // It is not among those that were only counted, as it is told.
    #expect(verdict == .full(ReportPolicy.Admission(reason: .severe, suppressed: 0, sequence: 4)))
    #expect(policy.judge(stall(id: id, isSevere: true, isOver: true), at: 12 * Self.minute) == verdict)
    _ = policy.judge(stall(isSevere: true, isOver: true), at: 13 * Self.minute)
    #expect(policy.judge(stall(isSevere: true, isOver: true), at: 14 * Self.minute) == .counted(.repeated))
  }

  @Test func `an issue has its share of a minute and a day, and no more`() {
    var policy = policy(perIssueAndDay: 4)
    let first = (0..<3).map { policy.judge(stall(isOver: true), at: UInt64($0)) }
    #expect(first.last == .counted(.issueInMinute))
    let later = (1...3).map { policy.judge(stall(isOver: true), at: UInt64($0) * Self.hour) }
    #expect(later.last == .counted(.issueInDay))
    guard case .full = policy.judge(stall(isOver: true), at: Self.day) else {
      Issue.record("the next day it is told again")
      return
    }
  }

  @Test func `the first of each issue in a day is told whatever was before`() {
    var policy = policy(perMinute: 1, perDay: 50)
    for number in 0..<50 {
      for _ in 0..<4 {
        let verdict = policy.judge(stall("\(number)", isOver: true), at: UInt64(number))
        if case .full(let admission) = verdict {
          #expect(admission.sequence == 4 * number + 1 || number == 0)
        }
      }
    }
    #expect(policy.judge(stall("one more", isOver: true), at: Self.hour) == .counted(.newIssues))
  }

  @Test func `severe stalls have a reserve when the day is used up`() {
    var policy = policy(perDay: 5)
    for issue in ["a", "b", "c", "d", "e"] { _ = policy.judge(stall(issue, isOver: true), at: 0) }
    for issue in ["a", "b", "c", "d", "e"] { _ = policy.judge(stall(issue, isOver: true), at: 1) }
    #expect(policy.judge(stall("a", isOver: true), at: Self.hour) == .counted(.day))
    let severe = policy.judge(stall("b", isSevere: true, isOver: true), at: Self.hour)
    guard case .full(let admission) = severe else {
      Issue.record("\(severe)")
      return
    }
    #expect(admission.reason == .severe)
    #expect(policy.judge(stall("c", isSevere: true, isOver: true), at: Self.hour) == .counted(.day))
  }

  /// What becomes of a stall that comes now and then is the same whether another comes without end or not.
  @Test func `one noisy stall silences no other`() {
    var random = SeededRandom()
    for _ in 0..<50 {
      var (quiet, disturbed) = (policy(), policy())
      var now: UInt64 = 0
      for _ in 0..<300 {
        now += .random(in: 0..<Self.hour / 4, using: &random)
        for _ in 0..<Int.random(in: 0..<30, using: &random) {
          _ = disturbed.judge(
            stall("noisy", isSevere: Int.random(in: 0..<10, using: &random) == 0, isOver: true), at: now)
        }
        let rare = stall("rare", isSevere: Int.random(in: 0..<10, using: &random) == 0, isOver: true)
        let (alone, beside) = (quiet.judge(rare, at: now), disturbed.judge(rare, at: now))
        #expect(isFull(alone) == isFull(beside), "seed \(random.seed)")
      }
    }
  }

  private func isFull(_ verdict: ReportPolicy.Verdict) -> Bool {
    if case .full = verdict { true } else { false }
  }

  /// Whatever comes: the limits hold, the first of each issue is told, and no stall is told neither in full nor as a count.
  @Test func `limits hold and nothing is lost, whatever comes`() {
    var random = SeededRandom()
    for _ in 0..<30 {
      var policy = policy()
      var (now, latest): (UInt64, UInt64) = (0, 0)
      var fulls: [(time: UInt64, issue: String, reason: ReportPolicy.Reason)] = []
      var (told, stalls) = (0, 0)
      var known: Set<String> = []
      for _ in 0..<2000 {
        // An hour that is over is over: a clock that is set back changes nothing.
        let step = [0, Self.minute / 100, Self.minute, Self.hour].randomElement(using: &random)!
        now += .random(in: 0...step, using: &random)
        let moment = Bool.random(using: &random) ? now : now / 2
        latest = max(latest, moment)
        let issue = "\(Int.random(in: 0..<20, using: &random))"
        let verdict = policy.judge(
          stall(issue, isSevere: Int.random(in: 0..<20, using: &random) == 0, isOver: true),
          at: moment)
        stalls += 1
        if case .full(let admission) = verdict {
          told += 1 + admission.suppressed
          fulls.append((latest, issue, admission.reason))
        }
        #expect(isFull(verdict) || known.contains(issue), "seed \(random.seed)")
        known.insert(issue)
      }
      #expect(told + policy.untold.map(\.count).reduce(0, +) == stalls, "seed \(random.seed)")
      let byDay = Dictionary(grouping: fulls) { $0.time / Self.day }
      for (_, day) in byDay {
        #expect(day.count { $0.reason != .firstInDay } <= 100 + 20)
        for (_, issue) in Dictionary(grouping: day, by: \.issue) { #expect(issue.count <= 20) }
      }
      for (index, full) in fulls.enumerated() {
        let minute = fulls[...index].filter { full.time - $0.time < Self.minute && $0.reason != .firstInDay }
        #expect(minute.count { $0.reason != .severe } <= 5, "seed \(random.seed)")
      }
    }
  }

  @Test func `issues without end are not remembered without end, and what they had is told`() {
    var policy = policy()
    for number in 0..<5000 {
      for _ in 0..<2 { _ = policy.judge(stall("\(number)", isOver: true), at: UInt64(number)) }
    }
    let untold = policy.untold
    #expect(untold.count <= 1001)
    #expect(untold.first?.title == "others")
    // All but the first hundred, which were told, and the five more that a minute has room for.
    #expect(untold.map(\.count).reduce(0, +) == 10_000 - 105)
  }
}

@Suite struct HostSampleTests {
  @Test func `of many hosts a share is chosen, and others the next day`() {
    let hosts = (0..<20_000).map { "h-\($0)" }
    for rate in [0.01, 0.1, 0.5] {
      let days = ["2026-11-30", "2026-12-01"].map { day in
        Set(hosts.filter { HostSample.contains(host: $0, day: day, rate: rate) })
      }
      let expected = rate * 20_000
      // Six standard deviations.
      let tolerance = 6 * (expected * (1 - rate)).squareRoot()
      for chosen in days { #expect(abs(Double(chosen.count) - expected) < tolerance) }
      let both = Double(days[0].intersection(days[1]).count)
      #expect(abs(both - expected * rate) < 6 * (expected * rate).squareRoot() + 6)
    }
  }

  @Test func `all hosts or none are chosen where the rate says so`() {
    for host in ["", "a", "h-5f2c"] {
      #expect(HostSample.contains(host: host, day: "2026-11-30", rate: 1))
      #expect(!HostSample.contains(host: host, day: "2026-11-30", rate: 0))
    }
  }
}
