/// A span of time as it is written on a command line: `250ms`, `1.5s`, `500us`, `1m`.
public struct DurationArgument: Sendable, Equatable, ArgumentValue {
  /// The span, never negative.
  public let duration: Duration

  /// The span that `argument` spells, exactly: a decimal number and one of the units ns, us, ms, s, m, h.
  ///
  /// - Throws: What is wrong with it: no number, no unit, parts of a nanosecond, more than a hundred years.
  public init(argument: String) throws(MalformedArgument) {
    let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = argument.dropFirst(number.count)
    guard let (whole, fraction) = Self.parts(number) else {
      throw MalformedArgument("'\(argument)' is not a span of time; write 250ms or 2s")
    }
    guard !unit.isEmpty else {
      throw MalformedArgument("'\(argument)' has no unit; write \(argument)ms or 2s")
    }
    guard let nanosecondsOfUnit = Self.units[String(unit)] else {
      throw MalformedArgument("'\(argument)' has an unknown unit; the units are ns, us, ms, s, m and h")
    }
    duration = .nanoseconds(
      try Self.nanoseconds(whole: whole, fraction: fraction, unit: nanosecondsOfUnit, argument: argument))
  }

  private static let units: [String: Int64] = [
    "ns": 1, "us": 1000, "µs": 1000, "μs": 1000, "ms": 1_000_000, "s": 1_000_000_000,
    "m": 60_000_000_000, "h": 3_600_000_000_000,
  ]

  /// A hundred years: no use is known for more, and it leaves room to add to.
  private static let nanosecondsMax: Int64 = 100 * 365 * 24 * 3_600_000_000_000

  /// The digits before and behind the point, or `nil` if it is not a decimal number.
  private static func parts(_ number: Substring) -> (whole: Substring, fraction: Substring)? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    return (parts[0], parts.count == 2 ? parts[1] : "")
  }

  private static func nanoseconds(
    whole: Substring, fraction: Substring, unit: Int64, argument: String
  ) throws(MalformedArgument) -> Int64 {
    // Any number of digits may come: nil once the sum does not fit.
    var total: Int64? = 0
    for digit in whole { total = sum(total, times: 10, digit.wholeNumberValue ?? 0, times: 1) }
    total = sum(total, times: unit, 0, times: 0)
    var place = unit
    for digit in fraction where digit != "0" || place % 10 == 0 {
      guard place % 10 == 0 else { throw MalformedArgument("'\(argument)' is finer than a nanosecond") }
      place /= 10
      total = sum(total, times: 1, digit.wholeNumberValue ?? 0, times: place)
    }
    guard let total, total <= nanosecondsMax else {
      throw MalformedArgument("'\(argument)' is longer than a hundred years")
    }
    return total
  }

  /// `total` × `factor` + `digit` × `place`, or `nil` if that does not fit.
  private static func sum(
    _ total: Int64?, times factor: Int64, _ digit: Int, times place: Int64
  ) -> Int64? {
    guard let total else { return nil }
    let (product, isProductTooLarge) = total.multipliedReportingOverflow(by: factor)
    let (addend, isAddendTooLarge) = Int64(digit).multipliedReportingOverflow(by: place)
    let (sum, isSumTooLarge) = product.addingReportingOverflow(addend)
    return isProductTooLarge || isAddendTooLarge || isSumTooLarge ? nil : sum
  }
}
