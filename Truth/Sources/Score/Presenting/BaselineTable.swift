import Goals
public import TruthLog

/// The baselines beside the monitor, on the same injections.
public struct BaselineTable: Sendable {
  public let scores: [Score]

  /// What each is expected to get wrong, said beforehand.
  private static let expectations: [(teller: String, what: String)] = [
    ("monitor", ""),
    ("ping", "time between two runs counts, and where the machine is busy, its own lateness"),
    ("waiting-only", "blind to observers about the wait; a loop that is never idle is stuck; stops count"),
    ("boolean", "blind behind a nested run; stops count"),
    ("cpu-timer", "blind to what blocks"),
    ("tick-delegate", "what runs after the wait counts as sleep"),
  ]

  public init(_ session: Session) {
    // The baselines know only loops that are there from the start.
    scores = Self.expectations.map { Score(session, teller: $0.teller, loops: ["main", "second"]) }
  }

  public var text: String {
    var table = Table([
      "rule", "stalls", "found", "recall", "95 %", "false", "precision", "95 %", "expected to fail",
    ])
    for (score, expectation) in zip(scores, Self.expectations) {
      let total = score.total
      table.add([
        score.teller, "\(total.found.total)", "\(total.found.hits)", Figure.percent(total.found.share),
        Figure.interval(total.found), "\(total.right.total - total.right.hits)",
        Figure.percent(total.right.share), Figure.interval(total.right), expectation.what,
      ])
    }
    return table.text
  }
}
