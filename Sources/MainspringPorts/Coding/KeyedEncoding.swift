/// A map that is written.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let node: EncodedNode
  private let trail: CodingTrail
  private let depth: Int

  init(_ node: EncodedNode, _ trail: CodingTrail, depth: Int) {
    self.node = node
    self.trail = trail
    self.depth = depth
  }

  var codingPath: [any CodingKey] { trail.path }

  private func add(_ value: EncodedValue, _ key: Key) { node.append(value, for: key.stringValue) }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    add(try ValueEncoder.encoded(value, trail.to(key), depth: depth), key)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    let inner = EncodedNode(isMap: true)
    add(.node(inner), key)
    return KeyedEncodingContainer(KeyedEncoding<NestedKey>(inner, trail.to(key), depth: depth + 1))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let inner = EncodedNode(isMap: false)
    add(.node(inner), key)
    return UnkeyedEncoding(inner, trail.to(key), depth: depth + 1)
  }

  mutating func superEncoder() -> any Encoder { superEncoder(under: CodingTrail.superclassKey) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder(under: key) }

  private func superEncoder(under key: any CodingKey) -> any Encoder {
    let encoder = ValueEncoder(trail.to(key), depth: depth)
    node.append(.encoder(encoder), for: key.stringValue)
    return encoder
  }

  mutating func encodeNil(forKey key: Key) throws { add(.null, key) }
  mutating func encode(_ value: Bool, forKey key: Key) throws { add(.bool(value), key) }
  mutating func encode(_ value: String, forKey key: Key) throws { add(.text(value), key) }
  mutating func encode(_ value: Double, forKey key: Key) throws { add(.double(value.bitPattern), key) }
  mutating func encode(_ value: Float, forKey key: Key) throws { add(.float(value.bitPattern), key) }
  mutating func encode(_ value: Int, forKey key: Key) throws { add(EncodedValue(value), key) }
  mutating func encode(_ value: Int8, forKey key: Key) throws { add(EncodedValue(value), key) }
  mutating func encode(_ value: Int16, forKey key: Key) throws { add(EncodedValue(value), key) }
  mutating func encode(_ value: Int32, forKey key: Key) throws { add(EncodedValue(value), key) }
  mutating func encode(_ value: Int64, forKey key: Key) throws { add(EncodedValue(value), key) }
  mutating func encode(_ value: UInt, forKey key: Key) throws { add(EncodedValue(value), key) }
  mutating func encode(_ value: UInt8, forKey key: Key) throws { add(EncodedValue(value), key) }
  mutating func encode(_ value: UInt16, forKey key: Key) throws { add(EncodedValue(value), key) }
  mutating func encode(_ value: UInt32, forKey key: Key) throws { add(EncodedValue(value), key) }
  mutating func encode(_ value: UInt64, forKey key: Key) throws { add(EncodedValue(value), key) }
}
