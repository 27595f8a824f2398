public import Goals

extension Score {
  /// Whether each goal is met.
  public func isGood(stallsMin: Int) -> Bool { goals(stallsMin: stallsMin).allSatisfy(\.isMet) }

  /// What the names of cells begin with in which nothing at all may be told.
  private static let quietPrefix = "quiet"

  /// - Parameter stallsMin: so many stalls at least are to be in the grid.
  public func goals(stallsMin: Int) -> [Goal] {
    func least(_ name: String, _ proportion: Proportion, _ limit: Double) -> Goal {
      Goal(name: name, value: proportion.share, limit: limit, isLeast: true, unit: .percent)
    }
    var goals = [
      least("precision", total.right, 0.995),
      least("recall of stalls from 1.1 T", total.found, 0.995),
      Goal(
        name: "detection after T, p99 of \(total.detection.count) on an idle machine",
        value: percentile(0.99, of: total.detection),
        limit: (total.tick ?? 10) + 10, isLeast: false, unit: .milliseconds),
      least("exact culprit", total.exact, 0.99),
      least("class", total.classes, 0.98),
      Goal(
        name: "handler's time, p99", value: percentile(0.99, of: total.costs), limit: 50, isLeast: false,
        unit: .microseconds),
    ]
    let quiet = cells.filter { $0.name.hasPrefix(Self.quietPrefix) }.map(\.tally)
    if !quiet.isEmpty {
      let reports = quiet.reduce(0) { $0 + $1.right.total + $1.unjudged }
      goals.append(
        Goal(
          name: "reports in cells called quiet", value: Double(reports), limit: 0, isLeast: false,
          unit: .count))
    }
    if stallsMin > 0 {
      goals.append(
        Goal(
          name: "stalls from 1.1 T", value: Double(total.found.total), limit: Double(stallsMin),
          isLeast: true,
          unit: .count))
    }
    return goals
  }
}
