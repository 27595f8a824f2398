/// A value of JSON text, as it was read.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The sort of the value, for errors.
  var type: Report.DecodingError.ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

/// A number as it was written: reports have spans that a `Double` cannot hold.
struct JSONNumber: Equatable, Sendable {
  /// The number in JSON's grammar.
  let text: String

  /// The nearest `Double`, or `nil` beyond the range of those.
  var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The number if it is a whole one that fits: `7`, also `7.0` and `70e-1`.
  var integer: Int? {
    if let plain = Int(text) { return plain }
    guard let (value, isExact) = scaled(byPowerOfTen: 0), isExact else { return nil }
    return Int(exactly: value)
  }

  /// More decimal digits than an `Int128` has for certain.
  private static let digitsMax = 38
  /// An exponent beyond this is as good as an infinite one for what is written in so few bytes.
  private static let exponentMax = 100_000

  /// The number times ten to the power `power`, rounded to a whole one, halves away from zero, and whether it was one;
  /// `nil` if it does not fit.
  ///
  /// - Complexity: O(length of the text), which the parser limits.
  func scaled(byPowerOfTen power: Int) -> (value: Int128, isExact: Bool)? {
    var digits: [UInt8] = []
    var shift = power
    var isFraction = false
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        shift += Self.exponent(rest)
        rest = []
      default:
        if isFraction { shift -= 1 }
        if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte - UInt8(ascii: "0")) }
      }
    }
    return Self.integer(digits, shift: shift, isNegative: isNegative)
  }

  private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
    let digits = text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let magnitude = digits.reduce(0) { min(exponentMax, $0 * 10 + Int($1 - UInt8(ascii: "0"))) }
    return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  /// The digits, of which the first is not zero, followed by `shift` zeros, or without the last `-shift`.
  private static func integer(
    _ digits: [UInt8], shift: Int, isNegative: Bool
  ) -> (value: Int128, isExact: Bool)? {
    guard !digits.isEmpty else { return (0, true) }
    guard digits.count + shift <= digitsMax else { return nil }
    guard digits.count + shift >= 0 else { return (0, false) }
    let kept = digits.prefix(digits.count + min(0, shift))
    let dropped = digits.dropFirst(kept.count)
    var value = kept.reduce(into: Int128(0)) { $0 = $0 * 10 + Int128($1) }
    for _ in 0..<max(0, shift) { value *= 10 }
    if let next = dropped.first, next >= 5 { value += 1 }
    return (isNegative ? -value : value, dropped.allSatisfy { $0 == 0 })
  }
}
