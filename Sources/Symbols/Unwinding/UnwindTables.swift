/// The unwind tables of one module, copied, so that a library that is closed meanwhile cannot pull them away.
///
/// Used by one thread.
package final class UnwindTables {
  /// The run-time address of the first byte.
  let low: UInt64
  let bytes: [UInt8]
  /// Where .eh_frame_hdr starts in `bytes`.
  private let header: Int
  /// Rules that were found, by address; looked up again with every sample of a stalled thread.
  private var known: [UInt64: CallFrameRules] = [:]

  private static let byteCountMax: UInt64 = 256 << 20
  private static let knownCountMax = 4096

  /// Copies the tables of a module that is loaded. Nil if it has none that are understood.
  package convenience init?(_ module: Module, memory: any MemoryReader) {
    guard let image = ModuleImage(module, memory: memory), let place = image.unwindTables else { return nil }
    let start = memory.bytes(at: place.header, count: 12)
    guard let relative: Int32 = start.integer(at: 4) else { return nil }
    // The frames lie just before or just behind their index, in the same segment.
    let frames = place.header &+ 4 &+ UInt64(truncatingIfNeeded: relative)
    let low = frames < place.header && place.segment.contains(frames) ? frames : place.header
    let count = place.segment.upperBound - low
    guard count <= Self.byteCountMax else { return nil }
    self.init(memory.bytes(at: low, count: Int(count)), low: low, header: Int(place.header - low))
  }

  /// Tables in bytes that were mapped from `low` on, with .eh_frame_hdr at `header`.
  package init?(_ bytes: [UInt8], low: UInt64, header: Int) {
    let version: UInt8 = 1
    let relativeToHere: UInt8 = 0x1b
    let relativeToHeader: UInt8 = 0x3b
    guard header >= 0, header <= bytes.count - 12, bytes[header] == version,
      bytes[header + 1] == relativeToHere, bytes[header + 3] == relativeToHeader
    else { return nil }
    self.low = low
    self.bytes = bytes
    self.header = header
  }

  /// The rules at an address; nil where no function with an entry covers it.
  func rules(at address: UInt64) -> CallFrameRules? {
    if let rules = known[address] { return rules }
    guard let entry = entry(covering: address),
      let rules = try? FrameDescription(self, at: entry).rules(at: address)
    else { return nil }
    if known.count >= Self.knownCountMax { known.removeAll(keepingCapacity: true) }
    known[address] = rules
    return rules
  }

  /// Finds the last entry that starts at or before the address, by the sorted index.
  private func entry(covering address: UInt64) -> Int? {
    let headerAddress = low &+ UInt64(header)
    var reader = ByteReader(bytes, in: header + 8..<bytes.count)
    let encoding = PointerEncoding(bytes[header + 2])
    guard let count = try? encoding.read(&reader, low: low, dataBase: headerAddress), count > 0,
      count <= UInt64(reader.remaining / 8)
    else { return nil }
    let table = reader.offset
    let relative = Int64(bitPattern: address &- headerAddress)
    func start(_ index: Int) -> Int64 { Int64(bytes.integer(Int32.self, at: table + 8 * index) ?? .max) }
    guard start(0) <= relative else { return nil }
    var first = 0
    var end = Int(count)
    while end - first > 1 {
      let middle = (first + end) / 2
      if start(middle) <= relative { first = middle } else { end = middle }
    }
    guard let offset: Int32 = bytes.integer(at: table + 8 * first + 4) else { return nil }
    return header + Int(offset)
  }
}
