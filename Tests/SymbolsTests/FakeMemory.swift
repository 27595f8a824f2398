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

extension Array where Element == UInt64 {
  /// The words as memory holds them.
  var littleEndianBytes: [UInt8] {
    flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
  }
}
