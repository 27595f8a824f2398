/// Takes numbers and words off the front of a line that the kernel wrote. Nil where there is none.
package struct TextScanner {
  package private(set) var rest: ArraySlice<UInt8>

  package init(_ text: ArraySlice<UInt8>) { rest = text }

  package mutating func decimal() -> UInt64? { number(radix: 10) }
  package mutating func hexadecimal() -> UInt64? { number(radix: 16) }

  /// The digits at the front; nil if there is none, or more than 64 bits of them.
  private mutating func number(radix: UInt64) -> UInt64? {
    var value: UInt64 = 0
    var any = false
    while let digit = rest.first.flatMap(Self.digit), digit < radix {
      let (product, tooLarge) = value.multipliedReportingOverflow(by: radix)
      guard !tooLarge else { return nil }
      let (sum, overflow) = product.addingReportingOverflow(digit)
      guard !overflow else { return nil }
      value = sum
      any = true
      rest.removeFirst()
    }
    return any ? value : nil
  }

  private static func digit(_ character: UInt8) -> UInt64? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(character - UInt8(ascii: "a") + 10)
    default: nil
    }
  }

  /// Whether the line goes on with this text, which is then skipped.
  package mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  package mutating func skipSpaces() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// The characters up to the next space; nil at the end.
  package mutating func word() -> ArraySlice<UInt8>? {
    let word = rest.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
    rest = rest.dropFirst(word.count)
    return word.isEmpty ? nil : word
  }
}
