import MainspringTesting
import Testing

@testable import MainspringPorts

@Suite struct HostileMessageTests {
  /// What is wrong, as the error says.
  private func complaint<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> String {
    do {
      _ = try MessageCoding.decode(type, from: bytes)
      return "none"
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch DecodingError.typeMismatch(_, let context) {
      return context.debugDescription
    } catch DecodingError.valueNotFound(_, let context) {
      return context.debugDescription
    } catch DecodingError.keyNotFound(let key, _) {
      return "no key \(key.stringValue)"
    } catch {
      return "another error: \(error)"
    }
  }

  @Test func `M30: what is malformed is an error that says why`() {
    #expect(complaint(Int.self, []) == "the message ends where an item should be, at byte 0")
    #expect(complaint(Int.self, [0x19, 1]) == "the message ends within a number, at byte 1")
    #expect(complaint(Int.self, [0x1c]) == "lengths must be told beforehand, at byte 1")
    #expect(complaint([Int].self, [0x9f, 1, 0xff]) == "lengths must be told beforehand, at byte 1")
    #expect(complaint(Int.self, [1, 2]) == "1 bytes are left behind the message, at byte 1")
    #expect(complaint(Int.self, [0xc0, 1]) == "tags are not spoken, at byte 1")
    #expect(complaint(Int.self, [0xe0]) == "a simple value 0 is not spoken, at byte 1")
    #expect(complaint(Int.self, [0xf8, 24]) == "a simple value 24 is not spoken, at byte 2")
    #expect(complaint(String.self, [0x62, 0x61]) == "2 bytes are promised, 1 are there, at byte 1")
    #expect(complaint(String.self, [0x61, 0xff]) == "the text is not UTF-8")
    #expect(complaint(Int8.self, [0x18, 128]) == "the number does not fit into Int8")
    #expect(complaint(UInt.self, [0x20]) == "the number does not fit into UInt")
    #expect(
      complaint(Int.self, [0x3b] + [UInt8](repeating: 0xff, count: 8)) == "the number does not fit into Int")
    #expect(
      complaint(Float.self, [0xfb, 0x7e, 0x37, 0xe4, 0x3c, 0x88, 0x00, 0x75, 0x9c])
        == "the number does not fit into Float")
    #expect(
      complaint([String: Int].self, [0xa2, 0x61, 0x61, 1, 0x61, 0x61, 2]) == "a key of a map is there twice")
    #expect(complaint([String: Int].self, [0xa1, 1, 1]) == "a key of a map is no text")
    #expect(complaint(Sample.self, [0xa0]) == "no key bool")
    #expect(complaint(Int.self, [0x61, 0x61]) == "Int is wanted, text is there")
    #expect(complaint(Int.self, [0xf6]) == "Int is wanted, null is there")
    #expect(complaint([String].self, [0x41, 1]) == "String is wanted, a byte is there")
  }

  @Test func `M30: a small message does not ask for much memory`() {
    let most: [UInt8] = [UInt8](repeating: 0xff, count: 8)
    for kind: UInt8 in [0x5b, 0x7b, 0x9b, 0xbb] {
      #expect(complaint([Int].self, [kind] + most) != "none")
      #expect(complaint([Int].self, [kind, 0x7f] + most) != "none")
      #expect(complaint([Int].self, [kind, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2]) != "none")
    }
  }

  @Test func `M30: levels have an end, where it is written as well`() throws {
    let deepest = [UInt8](repeating: 0x81, count: 64) + [1]
    _ = try ParsedMessage(deepest)
    #expect(throws: DecodingError.self) { try ParsedMessage([0x81] + deepest) }
    #expect(throws: DecodingError.self) { try ParsedMessage([UInt8](repeating: 0x81, count: 200_000)) }

    var shape = Shape.point
    for _ in 0..<31 { shape = .nested(shape) }
    let bytes = try MessageCoding.encode(shape)
    #expect(try MessageCoding.decode(Shape.self, from: bytes) == shape)
    for _ in 0..<40 {
      shape = .nested(shape)
      guard let bytes = try? MessageCoding.encode(shape) else { continue }
      #expect(try MessageCoding.decode(Shape.self, from: bytes) == shape, "what is written is read")
    }
    #expect(throws: EncodingError.self) { try MessageCoding.encode(shape) }
  }

  @Test func `M30: any value comes back, and no change of its bytes traps`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("messages: seed \(seed)")
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let sample = Sample(using: &random)
      var bytes = try MessageCoding.encode(sample)
      #expect(try MessageCoding.decode(Sample.self, from: bytes) == sample)
      for _ in 0..<5 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8(truncatingIfNeeded: random.next())
        guard let changed = try? MessageCoding.decode(Sample.self, from: bytes) else { continue }
        _ = try MessageCoding.encode(changed)
      }
      _ = try? MessageCoding.decode(Sample.self, from: Array(bytes.prefix(bytes.count / 2)))
    }
  }

  @Test func `M30: a value that writes nothing is an error`() {
    struct Silent: Encodable { func encode(to encoder: any Encoder) throws {} }
    #expect(throws: EncodingError.self) { try MessageCoding.encode(Silent()) }
    #expect(throws: EncodingError.self) { try MessageCoding.encode([Silent()]) }
  }
}
