import Gzip
import MainspringTesting
import Testing

@Suite struct GzipTests {
  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
  func `what is compressed comes back`(count: Int) throws {
    var random = SeededRandom(seed: UInt64(count) + 1)
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...16, using: &random) }
    let packed = try Gzip.compress(bytes)
    #expect(packed.prefix(2) == [0x1f, 0x8b])
    #expect(try Gzip.decompress(packed, limit: count) == bytes)
  }

  @Test func `members that follow each other are read as one`() throws {
    let two = try Gzip.compress(Array("one\n".utf8)) + Gzip.compress([]) + Gzip.compress(Array("two\n".utf8))
    #expect(try Gzip.decompress(two, limit: 100) == Array("one\ntwo\n".utf8))
  }

  @Test func `more than the caller takes is refused`() throws {
    let packed = try Gzip.compress([UInt8](repeating: 7, count: 10_000_000))
    #expect(throws: Gzip.Failure.exceeds(limit: 1000)) { _ = try Gzip.decompress(packed, limit: 1000) }
  }

  @Test func `what is cut off anywhere is refused`() throws {
    let packed = try Gzip.compress(Array("a stall of the loop of main".utf8))
    for count in 0..<packed.count {
      #expect(throws: Gzip.Failure.truncated) {
        _ = try Gzip.decompress(Array(packed[..<count]), limit: 1000)
      }
    }
  }

  @Test func `a changed byte of the data or the trailer is noticed`() throws {
    let packed = try Gzip.compress(Array("a stall of the loop of main".utf8))
    for index in 10..<packed.count {
      var changed = packed
      changed[index] ^= 0x40
      #expect(throws: Gzip.Failure.self, "byte \(index)") { _ = try Gzip.decompress(changed, limit: 1000) }
    }
  }

  @Test func `what is not gzip is refused`() {
    #expect(throws: Gzip.Failure.damaged) { _ = try Gzip.decompress(Array("{\"schema\":".utf8), limit: 1000) }
  }
}
