import Testing

@testable import Bench

@Suite struct `Lines` {
  @Test func `the fourth word is the first figure, and pairs are figures by their keys`() throws {
    let line = try Line("libuv w1 500 57701.1 17331 cpu_ns=53886.0 rd=2.000 version=1.44.2 best=39866.0")
    guard case .figures(let figures) = line else {
      Issue.record("\(line)")
      return
    }
    #expect(figures.numbers == ["ns": 57701.1, "cpu_ns": 53886, "rd": 2, "best": 39866])
    #expect(figures.texts == ["version": "1.44.2"])
  }

  @Test func `bells are rung by writing and by waking a futex`() {
    let figures = Figures(first: 1, pairs: ["wr=0.25", "fx=1.5"])
    #expect(figures.numbers["bells"] == 1.75)
  }

  @Test(arguments: [
    ("# raw w3n 5000 n/a the peer has no post_self", Exclusion.notAvailable("the peer has no post_self")),
    ("# cfrl w4a 100000 cap over 3 s: stopped", .over("over 3 s: stopped")),
    ("# x y 1 n/a", .notAvailable("")),
  ])
  func `a line that begins with # says why there are no figures`(text: String, exclusion: Exclusion) throws {
    #expect(try Line(text) == .excluded(exclusion))
  }

  @Test(arguments: ["", "raw w1 500", "raw w1 500 much 3", "# raw w1 500 oops why"])
  func `what is no such line is an error that has the line`(text: String) {
    #expect(throws: MalformedLine(text: text)) { try Line(text) }
  }

  @Test func `a tracer's summary ends with the number of calls, with or without errors beside`() {
    let head = "% time     seconds  usecs/call     calls    errors syscall\n"
    #expect(TracerSummary(head + "100.00    0.000123           1       123         4 total\n").calls == 123)
    #expect(TracerSummary(head + "100.00    0.000123           1       123           total\n").calls == 123)
    #expect(TracerSummary(head).calls == nil)
  }
}
