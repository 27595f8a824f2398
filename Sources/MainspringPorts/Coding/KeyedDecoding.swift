/// A map that is read.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder
  private let index: KeyIndex

  init(_ decoder: ValueDecoder) throws {
    guard decoder.item.kind == .map else { throw decoder.mismatch([String: Any].self) }
    self.decoder = decoder
    index = try KeyIndex(of: decoder)
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  /// Those that the type knows.
  var allKeys: [Key] {
    index.keys.compactMap { place in
      let key = ValueDecoder(message: decoder.message, index: place, trail: decoder.trail)
      return (try? key.text()).flatMap(Key.init(stringValue:))
    }
  }

  func contains(_ key: Key) -> Bool { index.value(for: key.stringValue) != nil }

  private func value(_ key: any CodingKey) throws -> ValueDecoder {
    guard let place = index.value(for: key.stringValue) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "there is no \(key.stringValue)"))
    }
    return ValueDecoder(message: decoder.message, index: place, trail: decoder.trail.to(key))
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if let place = index.value(for: key.stringValue), let plain = decoder.message.plainValue(type, at: place)
    {
      return plain
    }
    return try value(key).value(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try value(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try value(CodingTrail.superclassKey) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).text() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).integer(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).integer(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).integer(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).integer(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).integer(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).integer(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).integer(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).integer(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).integer(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).integer(type) }
}
