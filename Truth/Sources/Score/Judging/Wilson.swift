/// So many of so many, and what that says of the true share.
public struct Proportion: Sendable, Equatable {
  public var hits: Int
  public var total: Int

  public init(hits: Int = 0, total: Int = 0) {
    self.hits = hits
    self.total = total
  }

  public mutating func count(_ isHit: Bool) {
    total += 1
    if isHit { hits += 1 }
  }

  /// Nil of nothing.
  public var share: Double? { total > 0 ? Double(hits) / Double(total) : nil }

  /// Wilson's interval, which holds the true share in 95 of 100 cases.
  public var interval: ClosedRange<Double>? {
    guard let share else { return nil }
    let (z, n) = (1.959964, Double(total))
    let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    let reach = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    return max(0, middle - reach)...min(1, middle + reach)
  }
}

/// The value that a share of all is at or below; nil of nothing.
public func percentile(_ share: Double, of values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
  return sorted[min(max(rank, 0), sorted.count - 1)]
}
