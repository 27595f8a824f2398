import Symbols

/// Memory made of a few pieces; nothing else is mapped.
package final class PieceMemory: MemoryReader {
  private let pieces: [(start: UInt64, bytes: [UInt8])]
  /// How often it was read: what reads too often hangs on a real stack.
  package private(set) var readCount = 0

  package init(_ pieces: [(start: UInt64, bytes: [UInt8])]) { self.pieces = pieces }

  package func bytes(at address: UInt64, count: Int) -> [UInt8] {
    readCount += 1
    for (start, bytes) in pieces where address >= start && address - start < UInt64(bytes.count) {
      return Array(bytes.dropFirst(Int(address - start)).prefix(max(0, count)))
    }
    return []
  }
}

extension ModuleMap {
  /// One module.
  init(text: Range<UInt64>, path: String) {
    func hexadecimal(_ value: UInt64) -> String { String(value, radix: 16) }
    let line =
      "\(hexadecimal(text.lowerBound))-\(hexadecimal(text.upperBound)) r-xp 00000000 fe:01 42 \(path)\n"
    self.init(parsing: Array(line.utf8))
  }
}
