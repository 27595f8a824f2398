import Testing

@testable import Counts

@Suite struct `Figures` {
  private func figure(
    _ measure: Measure, _ each: Double, of limit: Int?, _ steadiness: Operation.Steadiness = .steady
  ) -> Figure {
    Figure(
      measure: measure, each: each, limit: limit.map { Limits.Limit(number: $0, reason: "so") },
      steadiness: steadiness)
  }

  @Test func `one call more in twenty operations is a slip, and two are over`() {
    #expect(figure(.calls, 2.05, of: 2).verdict == .within)
    #expect(figure(.calls, 2.10, of: 2).verdict == .over)
    #expect(figure(.allocations, 0.10, of: 0).verdict == .over)
  }

  @Test func `an instruction more than the limit is over`() {
    #expect(figure(.instructions, 726, of: 726).verdict == .within)
    #expect(figure(.instructions, 726.5, of: 726).verdict == .over)
  }

  @Test(arguments: [Operation.Steadiness.steady, .varying], [1.0, 31, 711, 901_000])
  func `a limit that was just set is neither exceeded nor well above`(
    steadiness: Operation.Steadiness, each: Double
  ) {
    for measure in Measure.allCases {
      let fitting = figure(measure, each, of: nil, steadiness).fittingLimit
      #expect(figure(measure, each, of: fitting, steadiness).verdict == .within)
    }
  }

  @Test func `what is well below names the limit to take`() {
    #expect(figure(.allocations, 0, of: 1).verdict == .wellBelow(0))
    #expect(figure(.instructions, 500, of: 726).verdict == .wellBelow(510))
    #expect(figure(.calls, 19.1, of: 20, .varying).verdict == .within)
  }

  @Test func `without a limit there is no verdict but that`() {
    #expect(figure(.calls, 0, of: nil).verdict == .noLimit)
  }

  @Test(arguments: [
    (0, "0"), (2, "2"), (1.995, "2"), (5.94, "5.94"), (0.05, "0.05"), (711.2, "711"), (-0.001, "0"),
  ])
  func `a number is whole where it is or nearly`(number: Double, text: String) {
    #expect(Figure.text(of: number) == text)
  }

  @Test func `what makes the difference is counted, not what was made before`() {
    #expect(Count(once: 110, thrice: 310).each(of: 100) == 1)
    #expect(Count(once: 7, thrice: 7).each(of: 100) == 0)
  }
}
