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
}
