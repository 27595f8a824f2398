/// An operation, what was counted of it, and how that stands to the limits.
struct Row: Sendable {
  let operation: Operation
  let figures: [Figure]
  private let counts: [Measure: Count]

  init(_ operation: Operation, _ counts: [Measure: Count], _ limits: Limits) {
    self.operation = operation
    self.counts = counts
    figures = Measure.allCases.compactMap { measure in
      counts[measure].map {
        Figure(
          measure: measure, each: $0.each(of: operation.times), limit: limits[operation.name, measure],
          steadiness: operation.steadiness, isJudged: measure.isJudgedHere)
      }
    }
  }

  func figure(_ measure: Measure) -> Figure? { figures.first { $0.measure == measure } }

  /// What a count is made of, most first.
  func parts(_ measure: Measure) -> [(name: String, each: Double)] {
    counts[measure]?.parts(of: operation.times) ?? []
  }
}
