/// Where one value writes what it consists of.
final class ValueEncoder: Encoder {
  let trail: CodingTrail
  /// How many arrays and maps lie around the value.
  let depth: Int
  /// Nothing until the value has written something or asked for a container.
  var result: EncodedValue?

  init(_ trail: CodingTrail, depth: Int) {
    self.trail = trail
    self.depth = depth
  }

  var codingPath: [any CodingKey] { trail.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedEncoding(node(isMap: true), trail, depth: depth + 1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedEncoding(node(isMap: false), trail, depth: depth + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleEncoding(encoder: self) }

  /// A value may ask for its container several times, as a class and its superclass do, and gets the same.
  private func node(isMap: Bool) -> EncodedNode {
    if case .node(let node) = result, node.isMap == isMap { return node }
    let node = EncodedNode(isMap: isMap)
    result = .node(node)
    return node
  }

  /// What a value consists of.
  static func encoded<Value: Encodable>(
    _ value: Value, _ trail: @autoclosure () -> CodingTrail, depth: Int
  ) throws -> EncodedValue {
    if let plain = plain(value) { return plain }
    guard depth <= MessageLimit.depth else {
      throw EncodingError.invalidValue(
        value,
        .init(codingPath: trail().path, debugDescription: "lies deeper than \(MessageLimit.depth) levels"))
    }
    let encoder = ValueEncoder(trail(), depth: depth)
    try value.encode(to: encoder)
    guard let result = encoder.result else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: trail().path, debugDescription: "has written nothing"))
    }
    return result
  }

  /// The values of which there may be many in an array, without an encoder for each; bytes all at once.
  private static func plain<Value>(_ value: Value) -> EncodedValue? {
    // SAFETY: each is of the type that it is taken for, which was compared.
    if Value.self == [UInt8].self { return .bytes(unsafe unsafeBitCast(value, to: [UInt8].self)) }
    if Value.self == String.self { return .text(unsafe unsafeBitCast(value, to: String.self)) }
    if Value.self == Int.self { return EncodedValue(unsafe unsafeBitCast(value, to: Int.self)) }
    if Value.self == Double.self {
      return .double(unsafe unsafeBitCast(value, to: Double.self).bitPattern)
    }
    return nil
  }
}
