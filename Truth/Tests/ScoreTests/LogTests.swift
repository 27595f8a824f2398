import Testing
import TruthLog

struct LogTests {
  @Test func `an injection is read as it was written`() throws {
    var truth = Sample.truth(7, from: 3, to: 99, cell: "a cell")
    truth.isOfLoop = false
    truth.share = 0.7
    #expect(try Truth(#require(LogLine(text: truth.line.text))) == truth)
  }

  @Test func `a report is read as it was written, names with spaces and equal signs too`() throws {
    var told = Sample.told("x", from: 3, to: 99)
    told.culprit = "static A.== infix(_: A, _: A)"
    told.chain = ["closure #1 in f()", "operator = g"]
    told.flags = ["one", "two"]
    #expect(try Told(#require(LogLine(text: told.line.text))) == told)
  }

  @Test func `a tab or line feed in a name ends neither the field nor the line`() {
    var line = LogLine("report")
    line["culprit"] = "a\tb\nc"
    #expect(LogLine(text: line.text)?["culprit"] == "a b c")
  }

  @Test func `of one stall the last word counts, and the program heard of it by the first`() throws {
    var first = Sample.told("x", from: 100, to: 160)
    (first.state, first.heard) = ("ongoing", 5)
    var last = Sample.told("x", from: 100, to: 220)
    last.heard = 9
    let session = try Session(texts: [
      "session\tthreshold=50000000\n", [first, last].map { $0.line.text + "\n" }.joined(),
    ])
    #expect(session.told.count == 1)
    #expect(session.told.first?.interval == last.interval)
    #expect(session.told.first?.heard == 5)
  }

  @Test func `two runs are one, if their thresholds are the same`() throws {
    let first = Sample.session([Sample.truth(1, from: 0, to: 90)], [Sample.told("x", from: 0, to: 90)])
    // Numbers and names begin anew in each run.
    var second = Sample.session([Sample.truth(1, from: 200, to: 280)], [Sample.told("x", from: 200, to: 280)])
    let both = try Session(joining: [first, second])
    #expect(both.truths == first.truths + second.truths)
    #expect(both.told == first.told + second.told)
    second.threshold += 1
    #expect(throws: LogError.self) { _ = try Session(joining: [first, second]) }
    #expect(throws: LogError.self) { _ = try Session(joining: []) }
  }

  @Test(arguments: ["truth\tid=1", "report\tteller=monitor", "stop\tstart=1", "", "truth\tid=x\tcell=a"])
  func `a log that lacks what it must have is refused`(text: String) {
    #expect(throws: LogError.self) { _ = try Session(texts: [text]) }
  }
}
