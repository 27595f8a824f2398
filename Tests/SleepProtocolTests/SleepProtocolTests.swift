import Testing

@Suite("The sleep protocol")
struct SleepProtocolTests {
  @Test(arguments: Scenario.chosen)
  func `holds in every interleaving`(_ scenario: Scenario) {
    let start = ContinuousClock.now
    let outcome = Explorer.explore(scenario)
    let milliseconds = (ContinuousClock.now - start) / Duration.milliseconds(1)
    print(
      "\(scenario): \(outcome.stateCount) states, \(outcome.transitionCount) transitions,",
      "\(Int(milliseconds)) ms")
    #expect(outcome.violation == nil, "\(outcome.lines)")
  }

  @Test func `a trace names the actors, their steps and what they saw`() throws {
    let outcome = Explorer.explore(
      Scenario(posts: [.default], sleeps: [.word]), fault: .glancedBeforeAppend)
    let violation = try #require(outcome.violation)
    #expect(violation.property == .noLostWakeUp)
    #expect(
      outcome.trace == [
        "poster 1  glance         reads awake",
        "loop      announceSleep  sleep awake → asleep(default/word)",
        "loop      look           unborn",
        "loop      wait           blocks in default/word",
        "poster 1  append         entry for default",
      ])
  }
}
