import MainspringTesting
import Symbols
import Testing

@Suite struct InflateTests {
  /// zlib's own answer for 300 bytes of "abc" again and again.
  private static let packed: [UInt8] = [
    0x78, 0xda, 0x4b, 0x4c, 0x4a, 0x4e, 0x1c, 0x45, 0xc4, 0x21, 0x00, 0x88, 0x4d, 0x72, 0xd9,
  ]

  @Test func `what repeats is repeated`() {
    let unpacked = Inflate.unpack(Self.packed, byteCount: 300)
    #expect(unpacked == (0..<300).map { Array("abc".utf8)[$0 % 3] })
  }

  @Test func `what was only stored is copied`() {
    #expect(Inflate.unpack([0x78, 0x01, 0x01, 0x02, 0x00, 0xfd, 0xff, 7, 8], byteCount: 2) == [7, 8])
  }

  @Test func `a wrong size, form or length is refused`() {
    #expect(Inflate.unpack(Self.packed, byteCount: 299) == nil)
    #expect(Inflate.unpack(Self.packed, byteCount: 301) == nil)
    #expect(Inflate.unpack(Self.packed, byteCount: .max) == nil)
    #expect(Inflate.unpack(Self.packed, byteCount: -1) == nil)
    #expect(Inflate.unpack([], byteCount: 0) == nil)
    #expect(Inflate.unpack([0x79, 0x01, 0x01], byteCount: 0) == nil)
    for count in 0..<Self.packed.count - 4 {
      #expect(Inflate.unpack(Array(Self.packed[..<count]), byteCount: 300) == nil)
    }
  }

  @Test func `rubbish never traps`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<3000 {
      var data: [UInt8] = [0x78, 0x9c]
      for _ in 0..<Int.random(in: 0..<200, using: &random) {
        data.append(UInt8.random(in: 0...255, using: &random))
      }
      let count = Int.random(in: 0..<1000, using: &random)
      #expect((Inflate.unpack(data, byteCount: count)?.count ?? count) == count, "seed \(seed)")
    }
  }
}
