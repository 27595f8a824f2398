import Glibc
import Testing
import Workbench

@testable import Comparison

@Suite struct `Findings` {
  /// What a side's facts are taken to mean.
  private func finding(_ scenario: any Scenario, _ output: String) throws -> Finding {
    try scenario.finding(of: Measurement(facts: Facts(output: output), end: .returned)).get()
  }

  @Test func `facts are lines, the later one of a key holds, and what is no fact is passed over`() throws {
    let facts = Facts(output: "a=1\nnoise\na=2\nb=x=y\n")
    #expect(try facts.number("a") == 2)
    #expect(try facts.text("b") == "x=y")
    #expect(throws: MissingFact(key: "c")) { try facts.text("c") }
    #expect(throws: MissingFact(key: "b")) { try facts.number("b") }
  }

  @Test(arguments: [
    ("delay_ms=403", "it ran after 403 ms", false), ("delay_ms=0.14", "it ran after 0.14 ms", true),
    ("delay_ms=inf", "it did not run", false),
  ])
  func `a block that waits for the end of the run was not woken for`(
    output: String, text: String, isRight: Bool
  ) throws {
    #expect(try finding(PerformWakeup(), output) == Finding(text, isRight: isRight))
  }

  @Test func `every kind of stop that was lost is named`() throws {
    let output = "trials=50\nlost_before_run=7\nlost_with_source=true\nlost_with_limit=false\n"
    #expect(
      try finding(StopRaces(), output)
        == Finding("lost: before the run (7 of 50), in the source", isRight: false))
  }

  @Test func `no lost stop is right`() throws {
    let output = "trials=50\nlost_before_run=0\nlost_with_source=false\nlost_with_limit=false\n"
    #expect(try finding(StopRaces(), output) == Finding("no stop was lost (0 of 52)", isRight: true))
  }

  @Test(arguments: [("15", "16", true), ("0.3", "8", true), ("15", "3300", false)])
  func `timers may cost somewhat more among a hundred times as many, and not ten times as much`(
    few: String, many: String, isRight: Bool
  ) throws {
    let output = ["fire", "move", "cancel"].map { "\($0)_1000_us=\(few)\n\($0)_100000_us=\(many)\n" }
    #expect(try finding(TimerScale(), output.joined()).isRight == isRight)
  }

  @Test func `a side that dies or hangs is wrong, and says in which step`() throws {
    let facts = Facts(output: "during=making the port\n")
    let died = Measurement(facts: facts, end: .died(signal: SIGILL))
    #expect(
      try PortKeepAlive().finding(of: died).get()
        == Finding("died of SIGILL: making the port", isRight: false))
    let overdue = Measurement(facts: facts, end: .overdue(.seconds(8)))
    #expect(
      try PortKeepAlive().finding(of: overdue).get()
        == Finding("did not return in 8 s: making the port", isRight: false))
  }

  @Test func `a trap is right only where a mistake is to be told, and only if it says which`() throws {
    func trapped(_ complaint: String) throws -> Bool {
      let measurement = Measurement(
        facts: Facts(output: ""), end: .died(signal: SIGILL), complaint: complaint)
      return try RunInCommon().finding(of: measurement).get().isRight
    }
    #expect(try trapped("A.swift:1: Fatal error: a loop cannot run in .common: name another"))
    #expect(try !trapped(""))
  }

  @Test func `a fact that is missing or a failed process is no finding`() {
    let silent = Measurement(facts: Facts(output: ""), end: .returned)
    #expect(throws: NotMeasured(reason: "no fact 'returned'")) { try StopRun().finding(of: silent).get() }
    let failed = Measurement(facts: Facts(output: ""), end: .failed(code: 64), complaint: "unknown option")
    #expect(throws: NotMeasured(reason: "failed with code 64: unknown option")) {
      try StopRun().finding(of: failed).get()
    }
  }

  @Test(arguments: [
    (0.0, "0 µs"), (0.004, "4.0 µs"), (0.0004, "0.40 µs"), (0.14, "0.14 ms"), (6.12, "6.1 ms"),
    (9.96, "10 ms"), (896.6, "897 ms"),
  ])
  func `times have two figures that count, and all before the point`(number: Double, text: String) {
    #expect(milliseconds(number) == text)
  }
}
