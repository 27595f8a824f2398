/// An array that is read, or bytes as an array of small numbers.
struct UnkeyedDecoding: UnkeyedDecodingContainer {
  private let decoder: ValueDecoder
  private let isBytes: Bool
  private(set) var currentIndex = 0
  /// The item of the next element; of bytes, where the next one is in the message.
  private var place: Int

  init(_ decoder: ValueDecoder) throws {
    let item = decoder.item
    guard item.kind == .array || item.kind == .bytes else { throw decoder.mismatch([Any].self) }
    self.decoder = decoder
    isBytes = item.kind == .bytes
    place = isBytes ? item.start : decoder.index + 1
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { Int(decoder.item.argument) }
  var isAtEnd: Bool { currentIndex == Int(decoder.item.argument) }

  private var message: ParsedMessage { decoder.message }

  /// The next element, as it is seen before it is taken.
  private func next(_ type: Any.Type) throws -> ValueDecoder {
    let trail = decoder.trail.to(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: trail.path, debugDescription: "there are no more elements"))
    }
    guard !isBytes else {
      throw DecodingError.typeMismatch(
        type, .init(codingPath: trail.path, debugDescription: "\(type) is wanted, a byte is there"))
    }
    return ValueDecoder(message: message, index: place, trail: trail)
  }

  private mutating func advance() {
    place = isBytes ? place + 1 : message.items[place].next
    currentIndex += 1
  }

  private mutating func take<Value>(
    _ type: Value.Type, _ read: (ValueDecoder) throws -> Value
  ) throws -> Value {
    let value = try read(try next(type))
    advance()
    return value
  }

  private mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    guard isBytes, !isAtEnd else { return try take(type) { try $0.integer(type) } }
    guard let number = Number(exactly: message.bytes[place]) else {
      throw decoder.corrupt("a byte does not fit into \(type)")
    }
    advance()
    return number
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // SAFETY: it is of the type that it is given out as, which was compared.
    if isBytes, type == UInt8.self { return unsafe unsafeBitCast(try integer(UInt8.self), to: type) }
    if !isBytes, !isAtEnd, let plain = message.plainValue(type, at: place) {
      advance()
      return plain
    }
    return try take(type) { try $0.value(type) }
  }

  mutating func decodeNil() throws -> Bool {
    guard !isBytes else { return false }
    // Asked of every element of optionals: no way is kept for it that no error needs.
    guard
      !isAtEnd
        ? ValueDecoder(message: message, index: place, trail: .root).isNull : try next(Never.self).isNull
    else { return false }
    advance()
    return true
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key>
  {
    try take(KeyedDecodingContainer<Key>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try take((any Decoder).self) { $0 } }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.text() } }
  mutating func decode(_ type: Double.Type) throws -> Double { try take(type) { try $0.double() } }
  mutating func decode(_ type: Float.Type) throws -> Float { try take(type) { try $0.float() } }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
}
