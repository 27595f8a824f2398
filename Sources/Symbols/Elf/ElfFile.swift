package import LinuxKernel

/// Why a file cannot be used.
package enum ElfError: Error, Equatable {
  case cannotOpen(KernelError)
  /// Not a 64-bit little-endian ELF file.
  case notElf
}

/// A program, library or separate debug file. Every number in it is checked before use.
///
/// Holds a descriptor while it lives; nothing is mapped. Used by one thread.
package final class ElfFile {
  private enum Source: ~Copyable {
    case file(ReadOnlyFile)
    case image([UInt8])
  }

  package let byteCount: UInt64
  private let source: Source
  private var segments: [ProgramHeader] = []
  private var sections: [ElfSection?] = []

  private static let sectionCountMax = 16_384

  /// Opens a file.
  package convenience init(path: String) throws(ElfError) {
    let opened: ReadOnlyFile
    do {
      opened = try ReadOnlyFile(path: path)
    } catch {
      throw .cannotOpen(error)
    }
    let size = opened.size
    try self.init(.file(opened), byteCount: size)
  }

  /// Takes a whole file, or the image of the kernel's own library, from memory.
  package convenience init(image: [UInt8]) throws(ElfError) {
    try self.init(.image(image), byteCount: UInt64(image.count))
  }

  private init(_ source: consuming Source, byteCount: UInt64) throws(ElfError) {
    self.source = source
    self.byteCount = byteCount
    guard let header = ElfHeader(bytes(at: 0, count: UInt64(ElfHeader.byteCount))) else { throw .notElf }
    let segmentCount = min(header.programHeaderCount, ProgramHeader.countMax)
    let table = bytes(
      at: header.programHeaderOffset, count: UInt64(segmentCount * ProgramHeader.byteCount))
    segments = ProgramHeader.table(table, count: segmentCount)
    sections = readSections(header)
  }

  private func readSections(_ header: ElfHeader) -> [ElfSection?] {
    let count = min(header.sectionHeaderCount, Self.sectionCountMax)
    let table = bytes(at: header.sectionHeaderOffset, count: UInt64(count * ElfSection.headerByteCount))
    func read(_ position: Int, _ names: [UInt8]) -> ElfSection? {
      ElfSection(table, position: position, names: names, fileByteCount: byteCount)
    }
    guard let nameSection = read(header.sectionNameIndex, []), nameSection.isPresent,
      !nameSection.isCompressed
    else { return [] }
    let names = bytes(at: nameSection.offset, count: min(nameSection.byteCount, 1 << 24))
    return (0..<count).map { read($0, names) }
  }

  /// Up to `count` bytes from `offset` on; fewer where the file ends.
  func bytes(at offset: UInt64, count: UInt64) -> [UInt8] {
    guard offset < byteCount else { return [] }
    let count = Int(min(count, byteCount - offset))
    switch source {
    case .file(let file): return file.bytes(at: offset, count: count)
    case .image(let image): return Array(image[Int(offset)..<Int(offset) + count])
    }
  }

  /// The contents of a section that is there.
  func contents(ofSection name: String) -> SectionContents? {
    for case let section? in sections where section.isPresent && section.name == name {
      return SectionContents(self, section)
    }
    return nil
  }

  /// A section's contents, and those of the section that it is linked to.
  func linkedContents(ofSection name: String) -> (SectionContents, linked: SectionContents)? {
    for case let section? in sections where section.isPresent && section.name == name {
      guard section.link < sections.count, let other = sections[section.link], other.isPresent,
        let contents = SectionContents(self, section), let linked = SectionContents(self, other)
      else { return nil }
      return (contents, linked)
    }
    return nil
  }

  /// The file's own address for its first mapped byte.
  package var baseAddress: UInt64 {
    guard let first = segments.first(where: { $0.kind == .load }) else { return 0 }
    return first.address & ~4095 &- (first.fileOffset & ~4095)
  }

  package var buildID: BuildID? {
    let noteByteCountMax: UInt64 = 4096
    for segment in segments where segment.kind == .note {
      let notes = bytes(at: segment.fileOffset, count: min(segment.fileByteCount, noteByteCountMax))
      if let found = BuildID(notes: notes) { return found }
    }
    // Separate debug files keep the section's bytes but not always the segment's.
    return contents(ofSection: ".note.gnu.build-id").flatMap {
      BuildID(notes: $0.bytes(at: 0, count: noteByteCountMax))
    }
  }

  /// The name of the separate debug file, as the file itself gives it.
  var debugLink: String? { contents(ofSection: ".gnu_debuglink")?.text(at: 0) }

  package var hasDebugInfo: Bool { contents(ofSection: ".debug_info") != nil }

  /// Whether there is debug information that is packed in a way that is not understood, as by zstd.
  package var hasUnreadableDebugInfo: Bool {
    sections.contains { $0.map { $0.isPresent && $0.name == ".debug_info" } ?? false } && !hasDebugInfo
  }
}
