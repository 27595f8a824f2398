/// Protocol buffers in the making: fields in the order they are written. What is zero or empty is left out, as the format
/// has it.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  /// Writes a number.
  mutating func field(_ number: Int, _ value: UInt64) {
    guard value != 0 else { return }
    key(number, wireType: 0)
    varint(value)
  }

  /// Writes a number as an int64: what is negative takes ten bytes.
  mutating func field(_ number: Int, _ value: Int64) { field(number, UInt64(bitPattern: value)) }

  /// Writes a string, even an empty one: those of a list count.
  mutating func field(_ number: Int, _ text: String) {
    key(number, wireType: 2)
    varint(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a list of numbers in one piece.
  mutating func field(_ number: Int, packed values: some Sequence<UInt64>) {
    var list = Self()
    for value in values { list.varint(value) }
    guard !list.bytes.isEmpty else { return }
    embed(number, list)
  }

  /// Writes a message, whose fields `body` writes; even an empty one.
  mutating func message(_ number: Int, _ body: (inout Self) -> Void) {
    var message = Self()
    body(&message)
    embed(number, message)
  }

  private mutating func embed(_ number: Int, _ inner: Self) {
    key(number, wireType: 2)
    varint(UInt64(inner.bytes.count))
    bytes.append(contentsOf: inner.bytes)
  }

  private mutating func key(_ number: Int, wireType: UInt64) { varint(UInt64(number) << 3 | wireType) }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
