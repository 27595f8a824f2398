/// The contents of one section: read piece by piece, or kept whole once asked for or unpacked.
///
/// Used by one thread.
final class SectionContents {
  /// Sections above this count as empty.
  private static let byteCountMax: UInt64 = 1 << 30
  private static let compressionHeaderByteCount = 24
  /// Debug information shrinks to a third, or to a tenth. What would grow to more than this multiple was made to fill the
  /// memory; unless it is small.
  private static let growthMax: UInt64 = 64
  private static let denseByteCountMax: UInt64 = 16 << 20

  /// Of the contents as they are meant to be read.
  let byteCount: UInt64
  private let file: ElfFile
  private let section: ElfSection
  private var kept: [UInt8]?

  /// Nil if the contents are packed in a way that is not understood.
  init?(_ file: ElfFile, _ section: ElfSection) {
    self.file = file
    self.section = section
    guard section.isCompressed else {
      byteCount = section.byteCount
      return
    }
    let zlib: UInt32 = 1
    let header = file.bytes(at: section.offset, count: UInt64(Self.compressionHeaderByteCount))
    guard section.byteCount > Self.compressionHeaderByteCount, header.integer(at: 0) == zlib,
      let size: UInt64 = header.integer(at: 8), size <= Self.byteCountMax,
      size <= Self.denseByteCountMax || size / section.byteCount <= Self.growthMax
    else { return nil }
    byteCount = size
  }

  /// All of it, read at the first call.
  var all: [UInt8] {
    if let kept { return kept }
    let read = readAll()
    kept = read
    return read
  }

  private func readAll() -> [UInt8] {
    guard section.byteCount <= Self.byteCountMax else { return [] }
    let raw = file.bytes(at: section.offset, count: section.byteCount)
    guard section.isCompressed else { return raw }
    let packed = Array(raw.dropFirst(Self.compressionHeaderByteCount))
    return Inflate.unpack(packed, byteCount: Int(byteCount)) ?? []
  }

  /// Up to `count` bytes from `offset` on; fewer at the end.
  func bytes(at offset: UInt64, count: UInt64) -> [UInt8] {
    guard offset < byteCount else { return [] }
    let count = min(count, byteCount - offset)
    guard section.isCompressed else { return file.bytes(at: section.offset + offset, count: count) }
    return Array(all.dropFirst(Int(offset)).prefix(Int(count)))
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
