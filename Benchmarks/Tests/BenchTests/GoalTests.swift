import Testing

@testable import Bench

@Suite struct `Goals judged` {
  private let cell = Cell("w3", 10)

  private func samples(ours: Double, theirs: Double) -> Samples {
    var samples = Samples()
    for (peer, value) in [("mainspring", ours), ("raw", theirs)] {
      samples.add(
        .figures(Figures(first: value, pairs: [])), for: Samples.Key(peer: peer, cell: cell, load: .idle))
    }
    return samples
  }

  private func goal(_ limit: Goal.Limit) -> Goal {
    Goal(
      workload: "W3", text: "a goal", ours: .figure("ns", cell, peer: "mainspring"), limit: limit,
      unit: .nanoseconds)
  }

  private var raw: Amount { .figure("ns", cell, peer: "raw") }

  @Test(arguments: [(119.0, true), (120, true), (120.1, false)])
  func `a limit is a factor of another's figure`(ours: Double, isReached: Bool) {
    let judgement = goal(Goal.Limit(amount: raw, factor: 1.2)).judged(
      by: samples(ours: ours, theirs: 100), under: .idle)
    #expect(judgement?.isReached == isReached)
    #expect(judgement?.ratio == ours / 100)
  }

  @Test(arguments: [(160.0, true), (161, false)])
  func `or so much more`(ours: Double, isReached: Bool) {
    let limit = Goal.Limit(amount: raw, plus: 60)
    #expect(
      goal(limit).judged(by: samples(ours: ours, theirs: 100), under: .idle)?.isReached == isReached)
  }

  @Test(arguments: [(40.0, true), (39, false)])
  func `or what ours is at least`(ours: Double, isReached: Bool) {
    let limit = Goal.Limit(amount: .constant(40), isLeast: true)
    #expect(goal(limit).judged(by: samples(ours: ours, theirs: 1), under: .idle)?.isReached == isReached)
  }

  @Test func `nothing is not divided by`() {
    let judgement = goal(Goal.Limit(amount: .constant(0))).judged(
      by: samples(ours: 0, theirs: 1), under: .idle)
    #expect(judgement?.isReached == true)
    #expect(judgement?.ratio == nil)
  }

  @Test func `a difference is one when both are measured`() {
    let more = Amount.difference(.figure("ns", cell, peer: "mainspring"), raw)
    #expect(more.value(in: samples(ours: 130, theirs: 100), under: .idle) == 30)
    #expect(more.value(in: samples(ours: 130, theirs: 100), under: .hog) == nil)
  }

  @Test func `what was not measured is not judged, and the reason is known`() {
    var samples = Samples()
    samples.add(
      .excluded(.notAvailable("no such thing")),
      for: Samples.Key(peer: "mainspring", cell: cell, load: .idle))
    let goal = goal(Goal.Limit(amount: raw))
    #expect(goal.judged(by: samples, under: .idle) == nil)
    #expect(goal.reason(in: samples, under: .idle) == "mainspring: no such thing")
  }

  @Test func `every goal is measured by the whole plan on the idle machine`() {
    let plan = Plan.whole(isLong: true)
    for goal in Goals.all { #expect(goal.isMeasured(by: plan, under: .idle), "\(goal.text)") }
  }

  @Test func `goals have texts of their own`() {
    let texts = Goals.all.map { $0.workload + " " + $0.text }
    #expect(Set(texts).count == texts.count)
  }
}
