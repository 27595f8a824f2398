/// A value that a report's JSON has, read back.
///
/// It is not `Decodable`, for the reasons that ``JSONEncodable`` is not `Encodable`, and since what is read here may be
/// anybody's: each conformance checks all that it takes.
protocol JSONDecodable {
  /// The value that `json` stands for.
  init(json: JSONValue) throws(Report.DecodingError)
}

extension String: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    guard case .string(let text) = json else { throw json.mismatch(.string) }
    self = text
  }
}

extension Bool: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    guard case .bool(let value) = json else { throw json.mismatch(.bool) }
    self = value
  }
}

extension Int: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    guard case .number(let number) = json else { throw json.mismatch(.number) }
    guard let value = number.integer else {
      throw .malformed(number.text, expected: "a whole number of 64 bits")
    }
    self = value
  }
}

extension Double: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    guard case .number(let number) = json else { throw json.mismatch(.number) }
    guard let value = number.double else {
      throw .malformed(number.text, expected: "a number of double precision")
    }
    self = value
  }
}

extension JSONDecodable where Self: RawRepresentable, RawValue == String {
  init(json: JSONValue) throws(Report.DecodingError) {
    let word = try String(json: json)
    guard let value = Self(rawValue: word) else { throw .unknownWord(word) }
    self = value
  }
}

extension Array: JSONDecodable where Element: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    self = try json.elements { (element, _) throws(Report.DecodingError) in try Element(json: element) }
  }
}

extension Duration {
  /// Beyond three hundred years there is no stall, and sums of many spans still fit.
  private static let secondsMax: Int128 = 10_000_000_000
  private static let attosecondsOfSecond: Int128 = 1_000_000_000_000_000_000

  /// A span that is written as a number of milliseconds.
  init(milliseconds json: JSONValue) throws(Report.DecodingError) { try self.init(json, power: 15) }

  /// A span that is written as a number of microseconds.
  init(microseconds json: JSONValue) throws(Report.DecodingError) { try self.init(json, power: 12) }

  /// One of the unit is ten to the power `power` attoseconds.
  private init(_ json: JSONValue, power: Int) throws(Report.DecodingError) {
    guard case .number(let number) = json else { throw json.mismatch(.number) }
    guard let (value, _) = number.scaled(byPowerOfTen: power),
      value.magnitude <= (Self.secondsMax * Self.attosecondsOfSecond).magnitude
    else { throw .malformed(number.text, expected: "a span of less than three hundred years") }
    self.init(attoseconds: value)
  }
}

extension UInt64 {
  /// An address or offset: `0x` and up to sixteen digits.
  init(address json: JSONValue) throws(Report.DecodingError) {
    let text = try String(json: json)
    guard text.utf8.starts(with: "0x".utf8), let value = Hexadecimal.value(of: text.utf8.dropFirst(2)) else {
      throw .malformed(text, expected: "0x and hexadecimal digits")
    }
    self = value
  }
}

extension FixedWidthInteger {
  /// A count of nanoseconds, which is written as a string.
  init(nanoseconds json: JSONValue) throws(Report.DecodingError) {
    let text = try String(json: json)
    // `Int64("+5")` is a number, but no form of JSON's.
    guard !text.hasPrefix("+"), let value = Self(text) else {
      throw .malformed(text, expected: "a number of nanoseconds")
    }
    self = value
  }
}
