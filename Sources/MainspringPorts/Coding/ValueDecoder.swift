/// One item of a message, from which a value is made.
struct ValueDecoder: Decoder {
  let message: ParsedMessage
  let index: Int
  let trail: CodingTrail

  var codingPath: [any CodingKey] { trail.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var item: MessageItem { message.items[index] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try KeyedDecoding<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try UnkeyedDecoding(self) }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleDecoding(decoder: self) }

  // MARK: values

  var isNull: Bool {
    item.kind == .simple && (item.detail == SimpleItem.null || item.detail == SimpleItem.undefined)
  }

  func bool() throws(DecodingError) -> Bool {
    guard item.kind == .simple, item.detail == SimpleItem.yes || item.detail == SimpleItem.no else {
      throw mismatch(Bool.self)
    }
    return item.detail == SimpleItem.yes
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws(DecodingError) -> Number {
    let number: Number?
    switch item.kind {
    case .unsigned: number = Number(exactly: item.argument)
    case .negative:
      number = item.argument <= UInt64(Int64.max) ? Number(exactly: ~Int64(item.argument)) : nil
    default: throw mismatch(type)
    }
    guard let number else { throw corrupt("the number does not fit into \(type)") }
    return number
  }

  func double() throws(DecodingError) -> Double {
    switch (item.kind, item.detail) {
    case (.simple, SimpleItem.double): return Double(bitPattern: item.argument)
    case (.simple, SimpleItem.float), (.simple, SimpleItem.half): return Double(try float())
    default: return try wholeNumber(Double.self)
    }
  }

  func float() throws(DecodingError) -> Float {
    switch (item.kind, item.detail) {
    case (.simple, SimpleItem.float): return Float(bitPattern: UInt32(truncatingIfNeeded: item.argument))
    case (.simple, SimpleItem.half): return Float(half: UInt16(truncatingIfNeeded: item.argument))
    case (.simple, SimpleItem.double):
      // Most languages know no other width, and write 0.1 as the nearest that a double has.
      let double = Double(bitPattern: item.argument)
      let float = Float(double)
      guard float.isFinite || !double.isFinite else { throw corrupt("the number does not fit into Float") }
      return float
    default: return try wholeNumber(Float.self)
    }
  }

  /// Other languages write 1.0 as 1.
  private func wholeNumber<Number: BinaryFloatingPoint>(_ type: Number.Type) throws(DecodingError) -> Number {
    guard item.kind == .unsigned || item.kind == .negative else { throw mismatch(type) }
    guard let number = Number(exactly: try integer(Int64.self)) else {
      throw corrupt("the number does not fit into \(type)")
    }
    return number
  }

  func text() throws(DecodingError) -> String {
    guard item.kind == .text else { throw mismatch(String.self) }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw corrupt("the text is not UTF-8")
    }
    return text
  }

  private var content: ArraySlice<UInt8> { message.content(of: index) }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let plain = message.plainValue(type, at: index) { return plain }
    return try Value(from: self)
  }

  // MARK: errors

  func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "\(type) is wanted, \(isNull ? "null" : "\(item.kind)") is there")
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corrupt(_ what: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: what))
  }
}

extension ParsedMessage {
  /// The content of bytes or of text.
  func content(of index: Int) -> ArraySlice<UInt8> {
    bytes[items[index].start..<items[index].start + Int(items[index].argument)]
  }

  /// The values of which there may be many in an array, without a decoder for each; bytes all at once. Nil of other types,
  /// and where something else is there.
  func plainValue<Value>(_ type: Value.Type, at index: Int) -> Value? {
    // SAFETY: each is of the type that it is given out as, which was compared.
    switch items[index].kind {
    case .unsigned where type == Int.self:
      return Int(exactly: items[index].argument).map { unsafe unsafeBitCast($0, to: type) }
    case .text where type == String.self:
      return String(validating: content(of: index), as: UTF8.self).map { unsafe unsafeBitCast($0, to: type) }
    case .bytes where type == [UInt8].self:
      return unsafe unsafeBitCast([UInt8](content(of: index)), to: type)
    case .simple where type == Double.self && items[index].detail == SimpleItem.double:
      return unsafe unsafeBitCast(Double(bitPattern: items[index].argument), to: type)
    default: return nil
    }
  }
}

extension Float {
  /// By the bits of a number of half the width, which not every architecture has.
  fileprivate init(half bits: UInt16) {
    let sign: Float = bits & 0x8000 == 0 ? 1 : -1
    let fraction = UInt32(bits & 0x3ff)
    switch bits >> 10 & 0x1f {
    case 0: self = sign * Float(fraction) / 16_777_216
    case 31: self = fraction == 0 ? sign * .infinity : .nan
    case let exponent:
      let shifted = (UInt32(exponent) + 112) << 23 | fraction << 13
      self = sign * Float(bitPattern: shifted)
    }
  }
}
