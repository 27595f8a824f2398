/// One section of an ELF file, whose contents lie wholly inside the file.
struct ElfSection {
  static let headerByteCount = 64
  /// Longer names are none: thousands of sections could all have one long name.
  private static let nameByteCountMax = 256

  let name: String
  let offset: UInt64
  let byteCount: UInt64
  /// Another section that belongs to it: a symbol table's texts.
  let link: Int
  /// Whether the file holds the contents at all: separate debug files leave out what is loaded.
  let isPresent: Bool
  /// Whether they are packed, behind a header of their own.
  let isCompressed: Bool

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
    isPresent = type != noBits
    isCompressed = flags & compressed != 0
    guard !isPresent || (offset <= fileByteCount && size <= fileByteCount - offset) else { return nil }
    name = names.terminatedText(at: Int(nameOffset), limit: Self.nameByteCountMax) ?? ""
    self.offset = offset
    byteCount = size
    self.link = Int(link)
  }
}
