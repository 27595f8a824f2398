import Score
import Testing
import TruthLog

struct ScoreTests {
  private func score(_ truths: [Truth], _ told: [Told], stops: [Interval] = []) -> Score {
    Score(Sample.session(truths, told, stops: stops), teller: "monitor")
  }

  @Test func `a stall that is told is found and right in every way`() {
    let score = score([Sample.truth(1, from: 100, to: 200)], [Sample.told("a", from: 99, to: 200)])
    let total = score.total
    #expect(total.found == Proportion(hits: 1, total: 1))
    #expect(total.right == Proportion(hits: 1, total: 1))
    #expect(total.exact.hits == 1)
    #expect(total.classes.hits == 1)
    #expect(total.phases.hits == 1)
    #expect(total.covered.hits == 1)
    #expect(total.detection == [4])
    #expect(score.complaints.isEmpty)
    #expect(score.isGood(stallsMin: 1))
  }

  @Test func `a stall that nobody told is missed`() {
    let score = score([Sample.truth(1, from: 100, to: 200)], [])
    #expect(score.total.found == Proportion(hits: 0, total: 1))
    #expect(score.total.right.total == 0)
    #expect(score.complaints.count == 1)
    #expect(!score.isGood(stallsMin: 0))
  }

  @Test func `a report of nothing is a false alarm of the cell that was on`() {
    let truths = [
      Sample.truth(1, from: 100, to: 200, cell: "one"), Sample.truth(2, from: 900, to: 1000, cell: "two"),
    ]
    let told = [
      Sample.told("a", from: 100, to: 200), Sample.told("b", from: 500, to: 600),
      Sample.told("c", from: 900, to: 1000),
    ]
    let score = score(truths, told)
    #expect(score.total.right == Proportion(hits: 2, total: 3))
    #expect(score.cells.first { $0.name == "one" }?.tally.right == Proportion(hits: 1, total: 2))
    #expect(score.complaints.count == 1)
  }

  @Test func `a second report of one stall is a false alarm`() {
    let told = [Sample.told("a", from: 100, to: 300), Sample.told("b", from: 100, to: 280)]
    let score = score([Sample.truth(1, from: 100, to: 300)], told)
    #expect(score.total.right == Proportion(hits: 1, total: 2))
    #expect(score.total.found == Proportion(hits: 1, total: 1))
  }

  @Test func `a report of another loop finds nothing`() {
    let score = score(
      [Sample.truth(1, from: 100, to: 200)], [Sample.told("a", from: 100, to: 200, loop: "second")])
    #expect(score.total.found.hits == 0)
    #expect(score.total.right == Proportion(hits: 0, total: 1))
  }

  @Test(arguments: [(149, false), (150, true), (151, true)])
  func `a match has half of the injection's time`(end: Int, isFound: Bool) {
    let score = score([Sample.truth(1, from: 100, to: 200)], [Sample.told("a", from: 90, to: end)])
    #expect((score.total.found.hits == 1) == isFound)
  }

  @Test func `the largest overlap gets the report`() {
    let truths = [Sample.truth(1, from: 100, to: 200), Sample.truth(2, from: 200, to: 300)]
    let score = score(truths, [Sample.told("a", from: 148, to: 300)])
    #expect(score.total.found == Proportion(hits: 1, total: 2))
    #expect(score.complaints.count == 1)
    #expect(score.complaints.first?.contains("id=1\t") == true)
  }

  @Test func `in the band about the threshold nothing is judged`() {
    let told = score([Sample.truth(1, from: 100, to: 152)], [Sample.told("a", from: 100, to: 152)])
    #expect(told.total.right.total == 0)
    #expect(told.total.found.total == 0)
    #expect(told.total.unjudged == 1)
    #expect(score([Sample.truth(1, from: 100, to: 152)], []).total.found.total == 0)
  }

  @Test func `a report of what is short is a false alarm, and stands in the curve`() {
    let score = score([Sample.truth(1, from: 100, to: 140)], [Sample.told("a", from: 100, to: 140)])
    #expect(score.total.right == Proportion(hits: 0, total: 1))
    #expect(score.curve.counts.contains(Proportion(hits: 1, total: 1)))
  }

  @Test func `time in which the process was stopped is not the loop's`() {
    let truth = Sample.truth(1, from: 100, to: 420, meant: 20)
    let stops = [Sample.interval(110, 410)]
    #expect(score([truth], [], stops: stops).total.found.total == 0)
    let score = score([truth], [Sample.told("a", from: 100, to: 420)], stops: stops)
    #expect(score.total.right == Proportion(hits: 0, total: 1))
  }

  @Test func `a stall within which the process was stopped is to be told with its own length`() {
    var told = Sample.told("a", from: 100, to: 550)
    told.duration = 150_000_000
    let score = score(
      [Sample.truth(1, from: 100, to: 550, meant: 150)], [told], stops: [Sample.interval(120, 420)])
    #expect(score.total.found.hits == 1)
    #expect(score.total.durationErrors == [0])
  }

  @Test func `of a loop that was not let, only that it was starved may be told`() {
    var truth = Sample.truth(1, from: 100, to: 200, meant: 20)
    (truth.cpu, truth.runnable) = (20_000_000, 80_000_000)
    #expect(
      score([truth], [Sample.told("a", from: 100, to: 200)]).total.right == Proportion(hits: 0, total: 1))
    var told = Sample.told("a", from: 100, to: 200)
    told.kind = "starvation"
    let starved = score([truth], [told])
    #expect(starved.total.right.total == 0)
    #expect(starved.total.unjudged == 1)
  }

  @Test func `that a loop was starved for long is to be told, and as that`() {
    var truth = Sample.truth(1, from: 100, to: 600, meant: 20)
    (truth.cpu, truth.runnable) = (20_000_000, 480_000_000)
    #expect(score([truth], []).total.found == Proportion(hits: 0, total: 1))
    var told = Sample.told("a", from: 100, to: 600)
    let blamed = score([truth], [told])
    #expect(blamed.total.found == Proportion(hits: 0, total: 1))
    #expect(blamed.total.right == Proportion(hits: 0, total: 1))
    told.kind = "starvation"
    let starved = score([truth], [told])
    #expect(starved.total.found == Proportion(hits: 1, total: 1))
    #expect(starved.total.right == Proportion(hits: 1, total: 1))
  }

  @Test(arguments: [(100, 0), (200, 1)])
  func `a saturation has a threshold of its own`(length: Int, count: Int) {
    var truth = Sample.truth(1, from: 100, to: 100 + length)
    truth.kind = "saturation"
    #expect(score([truth], []).total.found.total == count)
  }

  @Test func `what slept longer than it meant to is not judged`() {
    let truth = Sample.truth(1, from: 100, to: 170, meant: 40, class: "blocked")
    #expect(score([truth], [Sample.told("a", from: 100, to: 170)]).total.right.total == 0)
    #expect(score([truth], []).total.found.total == 0)
  }

  @Test func `between two runs there is no stall`() {
    var truth = Sample.truth(1, from: 100, to: 200)
    truth.isOfLoop = false
    #expect(score([truth], []).total.found.total == 0)
    #expect(
      score([truth], [Sample.told("a", from: 100, to: 200)]).total.right == Proportion(hits: 0, total: 1))
  }

  @Test func `a caller of the function is on the path and not exact`() {
    var told = Sample.told("a", from: 100, to: 200)
    told.culprit = "call()"
    let total = score([Sample.truth(1, from: 100, to: 200)], [told]).total
    #expect(total.exact == Proportion(hits: 0, total: 1))
    #expect(total.onPath == Proportion(hits: 1, total: 1))
  }

  @Test func `a stall without a culprit is blamed wrongly`() {
    var told = Sample.told("a", from: 100, to: 200)
    (told.culprit, told.chain, told.sampleCount, told.droppedCount) = ("no-app-code", [], 0, 3)
    let total = score([Sample.truth(1, from: 100, to: 200)], [told]).total
    #expect(total.exact == Proportion(hits: 0, total: 1))
    #expect(total.dropped == 3)
  }

  @Test(arguments: [
    ("busy", 95, 0, "busy", true), ("busy", 95, 0, "mixed", false), ("blocked", 1, 1, "blocked", true),
    ("blocked", 1, 1, "busy", false), ("busy", 20, 78, "starved", true), ("busy", 20, 78, "busy", false),
    ("measured", 50, 0, "mixed", true), ("measured", 50, 0, "starved", false),
    ("busy", 62, 38, "mixed", true),
  ])
  func `a class that was meant holds unless the thread's figures speak against it`(
    meant: String, cpu: Int, runnable: Int, told: String, isRight: Bool
  ) {
    var truth = Sample.truth(1, from: 100, to: 200, class: meant)
    (truth.cpu, truth.runnable) = (UInt64(cpu) * 1_000_000, UInt64(runnable) * 1_000_000)
    var report = Sample.told("a", from: 100, to: 200)
    report.verdict = told
    #expect(score([truth], [report]).total.classes.hits == (isRight ? 1 : 0))
  }

  @Test func `detection is judged where the thread had its processor`() {
    var truth = Sample.truth(1, from: 100, to: 200)
    truth.runnable = 3_000_000
    #expect(score([truth], [Sample.told("a", from: 100, to: 200)]).total.detection.isEmpty)
  }

  @Test func `detection is judged in undisturbed cells only`() {
    var truth = Sample.truth(1, from: 100, to: 200)
    truth.isUndisturbed = false
    #expect(score([truth], [Sample.told("a", from: 100, to: 200)]).total.detection.isEmpty)
  }

  @Test func `in a quiet cell a single report misses a goal`() {
    var truths = (0..<400).map { Sample.truth($0, from: $0 * 300, to: $0 * 300 + 100) }
    let told = (0..<400).map { Sample.told("\($0)", from: $0 * 300, to: $0 * 300 + 100) }
    truths.append(Sample.truth(400, from: 400 * 300, to: 400 * 300 + 20, cell: "quiet-work"))
    #expect(score(truths, told).isGood(stallsMin: 0))
    let alarm = Sample.told("alarm", from: 400 * 300, to: 400 * 300 + 60)
    #expect(!score(truths, told + [alarm]).isGood(stallsMin: 0))
    #expect(score(truths, told + [alarm]).total.right.share ?? 0 > 0.995)
  }

  @Test func `a wait that ended early is counted`() {
    let total = score([Sample.truth(1, from: 100, to: 160, meant: 100, class: "blocked")], []).total
    #expect(total.cutShort == 1)
  }
}
