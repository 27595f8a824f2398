/// One section of an ELF file, whose contents lie wholly inside the file.
struct ElfSection {
  static let headerByteCount = 64

  let name: String
  let offset: UInt64
  let byteCount: UInt64
  /// Another section that belongs to it: a symbol table's texts.
  let link: Int
  /// Whether the contents are in the file as they are: neither left out nor compressed.
  let isPlain: Bool

  /// Nil if the header at `position` in the table is not there or points out of the file.
  init?(_ table: [UInt8], position: Int, names: [UInt8], fileByteCount: UInt64) {
    let (start, overflow) = position.multipliedReportingOverflow(by: Self.headerByteCount)
    let noBits: UInt32 = 8
    let compressed: UInt64 = 0x800
    guard !overflow, let nameOffset: UInt32 = table.integer(at: start),
      let type: UInt32 = table.integer(at: start + 4), let flags: UInt64 = table.integer(at: start + 8),
      let offset: UInt64 = table.integer(at: start + 24), let size: UInt64 = table.integer(at: start + 32),
      let link: UInt32 = table.integer(at: start + 40)
    else { return nil }
    isPlain = type != noBits && flags & compressed == 0
    guard !isPlain || (offset <= fileByteCount && size <= fileByteCount - offset) else { return nil }
    name = names.terminatedText(at: Int(nameOffset)) ?? ""
    self.offset = offset
    byteCount = size
    self.link = Int(link)
  }
}

/// The contents of one section: read piece by piece, or kept whole once asked for.
///
/// Used by one thread.
final class SectionContents {
  let byteCount: UInt64
  private let file: ElfFile
  private let section: ElfSection
  private var kept: [UInt8]?

  init(_ file: ElfFile, _ section: ElfSection) {
    self.file = file
    self.section = section
    byteCount = section.byteCount
  }

  /// All of it, read at the first call. Sections above 1 GiB count as empty.
  var all: [UInt8] {
    if let kept { return kept }
    let read = byteCount <= 1 << 30 ? bytes(at: 0, count: byteCount) : []
    kept = read
    return read
  }

  /// Up to `count` bytes from `offset` on; fewer at the end.
  func bytes(at offset: UInt64, count: UInt64) -> [UInt8] {
    guard offset < byteCount else { return [] }
    return file.bytes(at: section.offset + offset, count: min(count, byteCount - offset))
  }

  /// An unsigned integer of 4 or 8 bytes somewhere in it.
  func unsigned(at offset: UInt64, byteCount size: Int) -> UInt64? {
    guard let place = Int(exactly: offset) else { return nil }
    return size == 8
      ? all.integer(UInt64.self, at: place) : all.integer(UInt32.self, at: place).map(UInt64.init)
  }

  /// The text that starts at `offset`, without reading more than needed.
  func text(at offset: UInt64) -> String? {
    let firstTry: UInt64 = 256
    let textByteCountMax: UInt64 = 1 << 20
    let near = bytes(at: offset, count: firstTry)
    return near.terminatedText(at: 0) ?? bytes(at: offset, count: textByteCountMax).terminatedText(at: 0)
  }
}
