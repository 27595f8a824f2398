import MainspringTesting

/// One of each kind.
struct Sample: Codable, Equatable {
  var bool = true
  var int = -5
  var int8 = Int8.min
  var int16 = Int16.min
  var int32 = Int32.max
  var int64 = Int64.min
  var uint = UInt.max
  var uint8 = UInt8.max
  var uint16 = UInt16.max
  var uint32 = UInt32.max
  var uint64 = UInt64.max
  var float: Float = 0.1
  var double = 0.1
  var text = "text"
  var bytes: [UInt8] = [0, 1, 255]
  var some: Int? = 3
  var none: Int?
  var list = [1, 2, 3]
  var texts = ["a", ""]
  var map = ["a": 1.5, "longer": 2]
  var numbered = [3: "c", -1: "z"]
  var shape = Shape.nested(.named("n", []))
  var child: [Sample] = []
}

indirect enum Shape: Codable, Equatable {
  case point
  case circle(radius: Double)
  case named(String, [Int])
  case nested(Shape)
}

/// Two containers that are filled in turns.
struct Interleaved: Codable, Equatable {
  var left: [Int]
  var right: [String: Int]
  var parts: [Int]

  init(left: [Int], right: [String: Int], parts: [Int]) {
    (self.left, self.right, self.parts) = (left, right, parts)
  }

  private enum Keys: String, CodingKey { case left, right, parts }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    var list = container.nestedUnkeyedContainer(forKey: .left)
    var parts = container.nestedUnkeyedContainer(forKey: .parts)
    for (number, part) in zip(left, self.parts) {
      try list.encode(number)
      var inner = parts.nestedUnkeyedContainer()
      try inner.encodeNil()
      try part.encode(to: parts.superEncoder())
      try inner.encode(number)
    }
    try container.encode(right, forKey: .right)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    var list = try container.nestedUnkeyedContainer(forKey: .left)
    var parts = try container.nestedUnkeyedContainer(forKey: .parts)
    (left, self.parts) = ([], [])
    while !list.isAtEnd {
      left.append(try list.decode(Int.self))
      var inner = try parts.nestedUnkeyedContainer()
      let (wasNil, number) = (try inner.decodeNil(), try inner.decode(Int.self))
      precondition(wasNil && number == left.last && inner.isAtEnd)
      self.parts.append(try Int(from: parts.superDecoder()))
    }
    right = try container.decode([String: Int].self, forKey: .right)
  }
}

class Base: Codable {
  let base: Int
  init(base: Int) { self.base = base }
}

final class Derived: Base {
  let own: String
  init(base: Int, own: String) {
    self.own = own
    super.init(base: base)
  }

  private enum Keys: String, CodingKey { case own }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(own, forKey: .own)
    try super.encode(to: container.superEncoder())
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    own = try container.decode(String.self, forKey: .own)
    try super.init(from: container.superDecoder())
  }
}

extension Sample {
  /// Any.
  init(using random: inout SeededRandom, depth: Int = 0) {
    bool = .random(using: &random)
    int = .random(in: .min ... .max, using: &random)
    int64 = Int64(truncatingIfNeeded: random.next() >> (random.next() % 64))
    uint64 = random.next() >> (random.next() % 64)
    int8 = Int8(truncatingIfNeeded: random.next())
    uint16 = UInt16(truncatingIfNeeded: random.next())
    double = Double(bitPattern: random.next())
    if double.isNaN { double = 0 }
    float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    if float.isNaN { float = 0 }
    text = Self.text(&random)
    bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next())
    }
    some = .random(using: &random) ? nil : .random(in: -30...30, using: &random)
    list = (0..<Int.random(in: 0...40, using: &random)).map { _ in Int(truncatingIfNeeded: random.next()) }
    map = Dictionary((0..<Int.random(in: 0...30, using: &random)).map { _ in (Self.text(&random), 1) }) { $1 }
    numbered = Dictionary(list.map { ($0, "\($0)") }) { $1 }
    shape = [.point, .circle(radius: double), .nested(.nested(.named(text, list)))].randomElement(
      using: &random)!
    if depth < 3, Int.random(in: 0..<3, using: &random) == 0 {
      child = (0..<3).map { _ in Sample(using: &random, depth: depth + 1) }
    }
  }

  private static func text(_ random: inout SeededRandom) -> String {
    String(
      String.UnicodeScalarView(
        (0..<Int.random(in: 0...30, using: &random)).compactMap { _ in
          Unicode.Scalar(UInt32.random(in: 0...0x2_0000, using: &random))
        }))
  }
}
