package import Documents

/// What is to be reached, and what was.
public struct Goal: Sendable {
  public let name: String
  /// What was reached; nil where nothing was there to be measured.
  public let value: Double?
  /// Nil where nothing is asked of it: it is only told.
  public let limit: Double?
  public let isLeast: Bool
  public let unit: Unit

  public enum Unit: Sendable { case percent, milliseconds, microseconds, nanoseconds, count }

  public init(name: String, value: Double?, limit: Double?, isLeast: Bool = false, unit: Unit) {
    self.name = name
    self.value = value
    self.limit = limit
    self.isLeast = isLeast
    self.unit = unit
  }

  /// Nothing to measure misses nothing.
  public var isMet: Bool {
    guard let value, let limit else { return true }
    return isLeast ? value >= limit : value <= limit
  }

  /// A line with its mark, and the line feed.
  public var line: String {
    guard let limit else { return "– \(name): \(text(value))\n" }
    let mark = value == nil ? "–" : isMet ? "✓" : "✗"
    return "\(mark) \(name): \(text(value)), \(isLeast ? "at least" : "at most") \(text(limit))\n"
  }

  /// The goal for tools.
  package var json: JSON {
    .object([
      ("name", .text(name)), ("value", .number(value)), ("limit", .number(limit)), ("met", .bare("\(isMet)")),
    ])
  }

  private func text(_ value: Double?) -> String {
    guard let value else { return "nothing measured" }
    switch unit {
    case .percent: return Figure.decimal(value * 100, digits: 2) + " %"
    case .milliseconds: return Figure.decimal(value, digits: 1) + " ms"
    case .microseconds: return Figure.decimal(value, digits: 1) + " µs"
    case .nanoseconds: return Figure.decimal(value, digits: 1) + " ns"
    case .count: return Figure.decimal(value, digits: 0)
    }
  }
}
