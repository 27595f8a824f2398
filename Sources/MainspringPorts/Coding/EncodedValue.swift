/// A value on its way into a message.
enum EncodedValue {
  case unsigned(UInt64)
  /// Minus one minus the number.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case bool(Bool)
  case null
  /// By its bits.
  case float(UInt32)
  /// By its bits.
  case double(UInt64)
  case node(EncodedNode)
  /// What an encoder wrote that is filled in later.
  case encoder(ValueEncoder)

  init(_ value: some FixedWidthInteger) {
    self = value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(bitPattern: ~Int64(value)))
  }
}

/// An array or a map on its way into a message: containers may be filled in any order, so that nothing is written before
/// all is there.
final class EncodedNode {
  let isMap: Bool
  var keys: [String] = []
  var values: [EncodedValue] = []

  init(isMap: Bool) { self.isMap = isMap }

  func append(_ value: EncodedValue, for key: String) {
    keys.append(key)
    values.append(value)
  }
}
