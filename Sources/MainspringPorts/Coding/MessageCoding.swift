/// How the messages of ports between processes are written: as a part of CBOR (RFC 8949), in one form each.
///
/// A standard, so that a peer in another language can read and write them with a library that it has: see
/// `Docs/Decisions/0018-messages-in-cbor.md`.
package enum MessageCoding {
  /// A value as bytes; equal values give equal bytes, but for sets and for dictionaries whose keys are no texts or
  /// numbers, which have no order.
  ///
  /// - Throws: `EncodingError` of a value that lies too deep or writes nothing, or what the value's own code throws.
  package static func encode<Value: Encodable>(_ value: Value, behind bytes: [UInt8] = []) throws -> [UInt8] {
    var writer = MessageWriter(behind: bytes)
    try writer.write(try ValueEncoder.encoded(value, .root, depth: 0))
    return writer.bytes
  }

  /// The value that whatever bytes stand for.
  ///
  /// - Throws: `DecodingError`, or what the value's own code throws.
  package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try ValueDecoder(message: try ParsedMessage(bytes), index: 0, trail: .root).value(type)
  }
}
