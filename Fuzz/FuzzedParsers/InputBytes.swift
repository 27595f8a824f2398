/// Takes an input apart from the front; all that is behind its end is zero.
struct InputBytes {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func short() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

  mutating func word() -> UInt64 {
    (0..<8).reduce(0) { value, index in value | UInt64(byte()) << (8 * UInt64(index)) }
  }

  /// The next `count` bytes, or as many as there are.
  mutating func part(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// All that is left.
  mutating func end() -> [UInt8] { part(rest.count) }

  /// The bytes up to the next zero, as a text.
  mutating func text() -> String {
    let bytes = rest.prefix { $0 != 0 }
    rest = rest.dropFirst(bytes.count + 1)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Array where Element == UInt8 {
  /// Adds an integer as memory holds it.
  package mutating func append<Integer: FixedWidthInteger>(littleEndian value: Integer) {
    for shift in stride(from: 0, to: Integer.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
