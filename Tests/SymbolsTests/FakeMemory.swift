import Symbols

/// Memory made of a few pieces, for tests that must not depend on what is loaded.
final class FakeMemory: MemoryReader {
  private let pieces: [(start: UInt64, bytes: [UInt8])]

  init(_ pieces: [(start: UInt64, bytes: [UInt8])]) { self.pieces = pieces }

  func bytes(at address: UInt64, count: Int) -> [UInt8] {
    for piece in pieces where address >= piece.start && address - piece.start < UInt64(piece.bytes.count) {
      let offset = Int(address - piece.start)
      return Array(piece.bytes[offset..<min(piece.bytes.count, offset + max(0, count))])
    }
    return []
  }
}

extension FakeMemory {
  /// The small program where its linker wanted it.
  static func smallProgram(_ bytes: [UInt8]) -> (memory: FakeMemory, modules: ModuleMap) {
    let maps = "00010000-00011000 r-xp 00000000 fe:01 42 /src/small\n"
    return (FakeMemory([(0x10000, bytes)]), ModuleMap(parsing: Array(maps.utf8)))
  }
}

/// Repeatable randomness (SplitMix64): print the seed, and the test can be run again as it was.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

extension Array where Element == UInt64 {
  /// The words as memory holds them.
  var littleEndianBytes: [UInt8] {
    flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
  }
}
