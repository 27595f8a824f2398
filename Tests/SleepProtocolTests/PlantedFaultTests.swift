import Mainspring
import Testing

/// That each fault is found says that the explorer looks; what is harmless says which part of the protocol
/// is there for its cost alone.
@Suite("Planted faults")
struct PlantedFaultTests {
  @Test(arguments: PlantedFault.all)
  func `each is found, by the property that it hurts`(_ planted: PlantedFault) throws {
    let found = Scenario.small.lazy
      .map { (scenario: $0, outcome: Explorer.explore($0, fault: planted.fault)) }
      .first { $0.outcome.violation != nil }
    let (scenario, outcome) = try #require(found, "nothing shows \(planted.fault)")
    let violation = try #require(outcome.violation)
    print("\(planted.fault): \(violation), \(outcome.trace.count) moves; \(scenario)")
    #expect(violation.property == planted.property, "\(outcome.lines)")
  }

  @Test(arguments: BellStep.allCases)
  func `each step of the protocol has one`(_ step: BellStep) {
    #expect(PlantedFault.all.contains { $0.step == .bell(step) })
  }

  /// The lock orders the two critical sections: the poster's comes first, and the look sees the entry; or
  /// it comes second, and the glance after it sees the announcement, barrier or not.
  @Test(arguments: Scenario.small.filter { $0.look == .locks })
  func `where the look takes the lock, the announcement needs no barrier of its own`(_ scenario: Scenario) {
    expectHarmless(.announcedByStore, in: scenario)
  }

  @Test(arguments: Scenario.small)
  func `the order of closing the inbox and shutting the door does not matter`(_ scenario: Scenario) {
    expectHarmless(.doorShutFirst, in: scenario)
  }

  /// They are short cuts: who retires the door is decided by the swap alone.
  @Test(arguments: Scenario.small, [BellStep.leaveDoor, .shutDoor])
  func `the counts before the retirement may be ignored`(_ scenario: Scenario, _ step: BellStep) {
    expectHarmless(.countIgnored(step), in: scenario)
  }

  /// Who is inside keeps the door from being retired; to be kept out by a shut one only saves a ring.
  @Test(arguments: Scenario.small)
  func `a poster may ring behind a shut door that is not retired`(_ scenario: Scenario) {
    expectHarmless(.shutIgnored, in: scenario)
  }

  private func expectHarmless(_ fault: Fault, in scenario: Scenario) {
    let outcome = Explorer.explore(scenario, fault: fault)
    #expect(outcome.violation == nil, "\(outcome.lines)")
  }
}
