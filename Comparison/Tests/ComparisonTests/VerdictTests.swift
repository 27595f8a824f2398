import Testing

@testable import Comparison

@Suite struct `Verdicts` {
  @Test(arguments: [
    (false, true, Verdict.mended), (true, true, .asGood), (true, false, .worse), (false, false, .notMended),
  ])
  func `the verdict follows from which side is right`(
    isTheirsRight: Bool, isOursRight: Bool, expected: Verdict
  ) {
    let verdict = Verdict(
      coreFoundation: Finding("theirs", isRight: isTheirsRight),
      mainspring: Finding("ours", isRight: isOursRight))
    #expect(verdict == expected)
  }

  @Test(arguments: [(10.0, 15.0, Verdict.asGood), (10.0, 15.1, .worse), (10.0, 1.0, .asGood)])
  func `where both are right, a cost that is clearly higher is worse`(
    theirs: Double, ours: Double, expected: Verdict
  ) {
    let verdict = Verdict(
      coreFoundation: Finding("", isRight: true, cost: theirs),
      mainspring: Finding("", isRight: true, cost: ours))
    #expect(verdict == expected)
  }

  @Test func `a cost does not help what is wrong, nor harm what is mended`() {
    let (dear, cheap) = (Finding("", isRight: true, cost: 9), Finding("", isRight: false, cost: 1))
    #expect(Verdict(coreFoundation: cheap, mainspring: dear) == .mended)
    #expect(Verdict(coreFoundation: dear, mainspring: cheap) == .worse)
  }

  @Test func `only mended and as good are acceptable`() {
    #expect(Verdict.allCases.filter(\.isAcceptable) == [.mended, .asGood])
  }

  @Test func `a side without a finding leaves the row not measured`() {
    let row = Row(
      StopRun(), coreFoundation: .found(Finding("x", isRight: false)),
      mainspring: Row.Outcome(measurement: nil, finding: .failure(NotMeasured(reason: "no process"))))
    #expect(row.verdict == .notMeasured)
    #expect(row.mainspring.text == "no process")
  }
}

extension Row.Outcome {
  /// As if this had been found.
  static func found(_ finding: Finding) -> Row.Outcome {
    Row.Outcome(measurement: nil, finding: .success(finding))
  }
}
