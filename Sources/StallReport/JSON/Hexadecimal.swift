/// Numbers in base sixteen, lower case.
enum Hexadecimal {
  /// The lowest `count` digits of `value`, with leading zeros.
  static func digits(_ value: UInt64, count: Int) -> String {
    precondition((1...16).contains(count), "a 64-bit number has 1 to 16 digits, not \(count)")
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits.suffix(count)
  }

  /// An address or offset as it stands in reports: `0x` and no leading zeros.
  static func address(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }

  /// What a digit of either case stands for, or `nil` if it is none.
  static func value(ofDigit byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The number that one to sixteen digits stand for, or `nil` if they are not that.
  static func value(of digits: some Collection<UInt8>) -> UInt64? {
    guard (1...16).contains(digits.count) else { return nil }
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = Self.value(ofDigit: byte) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value
  }
}
