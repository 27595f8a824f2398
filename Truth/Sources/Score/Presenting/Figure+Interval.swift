import Goals

extension Figure {
  static func interval(_ proportion: Proportion) -> String {
    guard let interval = proportion.interval else { return "-" }
    return "\(decimal(interval.lowerBound * 100, digits: 1))–\(decimal(interval.upperBound * 100, digits: 1))"
  }
}
