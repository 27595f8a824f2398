import Testing

@testable import MainspringPorts

@Suite struct CodingTests {
  private func roundTrip<Value: Codable & Equatable>(_ value: Value) throws {
    let bytes = try MessageCoding.encode(value)
    #expect(try MessageCoding.decode(Value.self, from: bytes) == value)
    #expect(try MessageCoding.encode(value) == bytes)
  }

  @Test func `M30: every kind of value comes back as it went`() throws {
    try roundTrip(Sample())
    try roundTrip([
      Shape.point, .circle(radius: 2.5), .named("x", [1, 2]), .nested(.circle(radius: .infinity)),
    ])
    try roundTrip(Optional<Int>.none)
    try roundTrip([Int?.none, 3, nil])
    try roundTrip(["a": [1: "b"], "c": [:]])
    try roundTrip(Set([3, 1, 2]))
    try roundTrip(UInt64.max)
    try roundTrip(Int64.min)
    try roundTrip("grüße 👩‍👩‍👧 \u{0}")
    try roundTrip([UInt8](0...255))
    try roundTrip([UInt8]())
    try roundTrip([[UInt8]](repeating: [1, 2], count: 3))
    try roundTrip(Unicode.Scalar.self == Unicode.Scalar.self)
  }

  @Test(arguments: [0, -0.0, 1, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
  func `M30: numbers with a fraction keep every bit`(number: Double) throws {
    let bytes = try MessageCoding.encode([number])
    #expect(try MessageCoding.decode([Double].self, from: bytes)[0].bitPattern == number.bitPattern)
    let float = Float(number)
    #expect(
      try MessageCoding.decode([Float].self, from: try MessageCoding.encode([float]))[0].bitPattern
        == float.bitPattern)
  }

  @Test func `M30: a NaN keeps its payload`() throws {
    for bits: UInt64 in [0x7ff8_0000_0000_1234, 0xfff0_0000_0000_0001] {
      let bytes = try MessageCoding.encode(Double(bitPattern: bits))
      #expect(try MessageCoding.decode(Double.self, from: bytes).bitPattern == bits)
    }
    let bytes = try MessageCoding.encode(Float(bitPattern: 0x7fa0_0001))
    #expect(try MessageCoding.decode(Float.self, from: bytes).bitPattern == 0x7fa0_0001)
  }

  @Test func `M30: what is written is the CBOR that the standard shows`() throws {
    #expect(try MessageCoding.encode(0) == [0x00])
    #expect(try MessageCoding.encode(23) == [0x17])
    #expect(try MessageCoding.encode(24) == [0x18, 0x18])
    #expect(try MessageCoding.encode(1000) == [0x19, 0x03, 0xe8])
    #expect(try MessageCoding.encode(1_000_000) == [0x1a, 0x00, 0x0f, 0x42, 0x40])
    #expect(try MessageCoding.encode(UInt64.max) == [0x1b] + [UInt8](repeating: 0xff, count: 8))
    #expect(try MessageCoding.encode(-1) == [0x20])
    #expect(try MessageCoding.encode(-1000) == [0x39, 0x03, 0xe7])
    #expect(try MessageCoding.encode(1.1) == [0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a])
    #expect(try MessageCoding.encode(Float(100000)) == [0xfa, 0x47, 0xc3, 0x50, 0x00])
    #expect(try MessageCoding.encode([UInt8]([1, 2, 3, 4])) == [0x44, 1, 2, 3, 4])
    #expect(try MessageCoding.encode("IETF") == [0x64, 0x49, 0x45, 0x54, 0x46])
    #expect(try MessageCoding.encode([1, 2, 3]) == [0x83, 1, 2, 3])
    #expect(try MessageCoding.encode(["b": 2, "a": 1]) == [0xa2, 0x61, 0x61, 1, 0x61, 0x62, 2])
    #expect(try MessageCoding.encode([true, false]) == [0x82, 0xf5, 0xf4])
    #expect(try MessageCoding.encode(Int?.none) == [0xf6])
  }

  @Test func `M30: maps are written in the order of their keys' bytes, shorter ones first`() throws {
    let keys = (0..<200).map { "key \($0 * 7919 % 1000)" }
    let map = Dictionary(keys.map { ($0, $0.count) }) { one, _ in one }
    let bytes = try MessageCoding.encode(map)
    #expect(try MessageCoding.decode([String: Int].self, from: bytes) == map)
    var same: [String: Int] = [:]
    for key in keys.reversed() { same[key] = key.count }
    #expect(try MessageCoding.encode(same) == bytes)
  }

  @Test func `M30: what others write in other ways is read`() throws {
    #expect(try MessageCoding.decode(Int.self, from: [0x1b, 0, 0, 0, 0, 0, 0, 0, 5]) == 5)
    #expect(
      try MessageCoding.decode([String: Int].self, from: [0xa2, 0x61, 0x62, 2, 0x61, 0x61, 1]) == [
        "a": 1, "b": 2,
      ])
    #expect(try MessageCoding.decode(Double.self, from: [0x01]) == 1)
    #expect(try MessageCoding.decode(Double.self, from: [0x20]) == -1)
    #expect(try MessageCoding.decode(Float.self, from: [0xf9, 0x3e, 0x00]) == 1.5)
    #expect(
      try MessageCoding.decode(Float.self, from: [0xf9, 0x00, 0x01])
        == Float(sign: .plus, exponent: -24, significand: 1))
    #expect(try MessageCoding.decode(Float.self, from: [0xf9, 0xfc, 0x00]) == -.infinity)
    // 0.1 by somebody who knows no other width.
    #expect(
      try MessageCoding.decode(Float.self, from: [0xfb, 0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a])
        == 0.1)
    #expect(
      try MessageCoding.decode(Float.self, from: [0xfb, 0xff, 0xf0, 0, 0, 0, 0, 0, 0]) == -.infinity)
    #expect(try MessageCoding.decode(Double.self, from: [0xf9, 0x7b, 0xff]) == 65504)
    #expect(try MessageCoding.decode(Double.self, from: [0xfa, 0x47, 0xc3, 0x50, 0x00]) == 100_000)
    #expect(try MessageCoding.decode([UInt8].self, from: [0x82, 1, 2]) == [1, 2])
    #expect(try MessageCoding.decode(Set<UInt8>.self, from: [0x42, 1, 2]) == [1, 2])
    #expect(try MessageCoding.decode(Int?.self, from: [0xf7]) == nil)
  }

  @Test func `M30: containers may be filled in any order, and superclasses have their own`() throws {
    try roundTrip(Interleaved(left: [1, 2], right: ["x": 3], parts: [4, 5]))
    let derived = Derived(base: 1, own: "two")
    let read = try MessageCoding.decode(Derived.self, from: try MessageCoding.encode(derived))
    #expect(read.base == 1 && read.own == "two")
  }
}
