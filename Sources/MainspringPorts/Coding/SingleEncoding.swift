/// One value that is no container.
struct SingleEncoding: SingleValueEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func set(_ value: EncodedValue) { encoder.result = value }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    set(try ValueEncoder.encoded(value, encoder.trail, depth: encoder.depth))
  }

  mutating func encodeNil() throws { set(.null) }
  mutating func encode(_ value: Bool) throws { set(.bool(value)) }
  mutating func encode(_ value: String) throws { set(.text(value)) }
  mutating func encode(_ value: Double) throws { set(.double(value.bitPattern)) }
  mutating func encode(_ value: Float) throws { set(.float(value.bitPattern)) }
  mutating func encode(_ value: Int) throws { set(EncodedValue(value)) }
  mutating func encode(_ value: Int8) throws { set(EncodedValue(value)) }
  mutating func encode(_ value: Int16) throws { set(EncodedValue(value)) }
  mutating func encode(_ value: Int32) throws { set(EncodedValue(value)) }
  mutating func encode(_ value: Int64) throws { set(EncodedValue(value)) }
  mutating func encode(_ value: UInt) throws { set(EncodedValue(value)) }
  mutating func encode(_ value: UInt8) throws { set(EncodedValue(value)) }
  mutating func encode(_ value: UInt16) throws { set(EncodedValue(value)) }
  mutating func encode(_ value: UInt32) throws { set(EncodedValue(value)) }
  mutating func encode(_ value: UInt64) throws { set(EncodedValue(value)) }
}
