/// An array that is written.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
  private let node: EncodedNode
  private let trail: CodingTrail
  private let depth: Int

  init(_ node: EncodedNode, _ trail: CodingTrail, depth: Int) {
    self.node = node
    self.trail = trail
    self.depth = depth
  }

  var codingPath: [any CodingKey] { trail.path }
  var count: Int { node.values.count }

  private func add(_ value: EncodedValue) { node.values.append(value) }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    add(try ValueEncoder.encoded(value, trail.to(count), depth: depth))
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let (inner, place) = (EncodedNode(isMap: true), trail.to(count))
    add(.node(inner))
    return KeyedEncodingContainer(KeyedEncoding(inner, place, depth: depth + 1))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let (inner, place) = (EncodedNode(isMap: false), trail.to(count))
    add(.node(inner))
    return UnkeyedEncoding(inner, place, depth: depth + 1)
  }

  mutating func superEncoder() -> any Encoder {
    let encoder = ValueEncoder(trail.to(count), depth: depth)
    add(.encoder(encoder))
    return encoder
  }

  mutating func encodeNil() throws { add(.null) }
  mutating func encode(_ value: Bool) throws { add(.bool(value)) }
  mutating func encode(_ value: String) throws { add(.text(value)) }
  mutating func encode(_ value: Double) throws { add(.double(value.bitPattern)) }
  mutating func encode(_ value: Float) throws { add(.float(value.bitPattern)) }
  mutating func encode(_ value: Int) throws { add(EncodedValue(value)) }
  mutating func encode(_ value: Int8) throws { add(EncodedValue(value)) }
  mutating func encode(_ value: Int16) throws { add(EncodedValue(value)) }
  mutating func encode(_ value: Int32) throws { add(EncodedValue(value)) }
  mutating func encode(_ value: Int64) throws { add(EncodedValue(value)) }
  mutating func encode(_ value: UInt) throws { add(EncodedValue(value)) }
  mutating func encode(_ value: UInt8) throws { add(EncodedValue(value)) }
  mutating func encode(_ value: UInt16) throws { add(EncodedValue(value)) }
  mutating func encode(_ value: UInt32) throws { add(EncodedValue(value)) }
  mutating func encode(_ value: UInt64) throws { add(EncodedValue(value)) }
}
