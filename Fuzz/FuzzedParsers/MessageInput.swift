import MainspringPorts

/// The message of another process. What can be read is written and read once more.
enum MessageInput {
  /// One of each kind that a message may have.
  private struct Whole: Codable {
    var flag: Bool?
    var small: UInt8?
    var number: Int64?
    var large: UInt64?
    var half: Float?
    var double: Double?
    var text: String?
    var bytes: [UInt8]?
    var list: [Whole]?
    var map: [String: Tree]?
    var numbered: [Int: [Double]]?
    var set: Set<UInt8>?
    var tree: Tree?
  }

  private indirect enum Tree: Codable {
    case leaf
    case text(String)
    case branch(Tree, right: Tree?)
  }

  /// Whatever is there, without being asked for by a type.
  private struct Anything: Decodable {
    private struct AnyKey: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      if let map = try? decoder.container(keyedBy: AnyKey.self) {
        for key in map.allKeys where try !map.decodeNil(forKey: key) {
          _ = try map.decode(Self.self, forKey: key)
        }
      } else if var list = try? decoder.unkeyedContainer() {
        while !list.isAtEnd {
          if (try? list.decode(UInt8.self)) != nil { continue }
          if try !list.decodeNil() { _ = try list.decode(Self.self) }
        }
      } else {
        let value = try decoder.singleValueContainer()
        guard !value.decodeNil(), (try? value.decode(String.self)) == nil else { return }
        _ = try? value.decode(Int8.self)
        _ = try? value.decode(UInt64.self)
        _ = try? value.decode(Float.self)
        _ = try? value.decode(Double.self)
        _ = try? value.decode(Bool.self)
      }
    }
  }

  static func read(_ bytes: [UInt8]) {
    _ = try? MessageCoding.decode(Anything.self, from: bytes)
    _ = try? MessageCoding.decode([[UInt8]].self, from: bytes)
    guard let whole = try? MessageCoding.decode(Whole.self, from: bytes) else { return }
    do {
      // A set has no order: its bytes may differ from one writing to the next.
      var plain = whole
      plain.set = nil
      let written = try MessageCoding.encode(plain)
      let again = try MessageCoding.decode(Whole.self, from: written)
      let count = try MessageCoding.encode(again).count
      precondition(count == written.count, "what is written is read otherwise")
    } catch {
      preconditionFailure("what was read cannot be written and read: \(error)")
    }
  }
}
