/// The fixed start of a 64-bit little-endian ELF file or image.
struct ElfHeader {
  static let byteCount = 64

  let programHeaderOffset: UInt64
  let programHeaderCount: Int
  let sectionHeaderOffset: UInt64
  let sectionHeaderCount: Int
  let sectionNameIndex: Int

  init?(_ bytes: [UInt8]) {
    let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1]
    guard bytes.starts(with: magic), let programs: UInt64 = bytes.integer(at: 32),
      let sections: UInt64 = bytes.integer(at: 40), let programSize: UInt16 = bytes.integer(at: 54),
      let programCount: UInt16 = bytes.integer(at: 56), let sectionSize: UInt16 = bytes.integer(at: 58),
      let sectionCount: UInt16 = bytes.integer(at: 60), let nameIndex: UInt16 = bytes.integer(at: 62)
    else { return nil }
    programHeaderOffset = programs
    programHeaderCount = programSize == ProgramHeader.byteCount ? Int(programCount) : 0
    sectionHeaderOffset = sections
    sectionHeaderCount = sectionSize == ElfSection.headerByteCount ? Int(sectionCount) : 0
    sectionNameIndex = Int(nameIndex)
  }
}

/// A segment: what is mapped where.
struct ProgramHeader {
  static let byteCount = 56
  /// More than this many segments is not a file that any loader takes.
  static let countMax = 128

  enum Kind: UInt32 {
    case load = 1
    case note = 4
    case exceptionFrameHeader = 0x6474_e550
  }

  let kind: Kind
  let fileOffset: UInt64
  let address: UInt64
  let fileByteCount: UInt64

  /// Nil for a kind that nobody here asks about.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard let rawKind: UInt32 = bytes.integer(at: offset), let kind = Kind(rawValue: rawKind),
      let fileOffset: UInt64 = bytes.integer(at: offset + 8),
      let address: UInt64 = bytes.integer(at: offset + 16),
      let fileByteCount: UInt64 = bytes.integer(at: offset + 32)
    else { return nil }
    self.kind = kind
    self.fileOffset = fileOffset
    self.address = address
    self.fileByteCount = fileByteCount
  }

  /// All that are understood in a table of `count`.
  static func table(_ bytes: [UInt8], count: Int) -> [ProgramHeader] {
    (0..<min(count, countMax)).compactMap { ProgramHeader(bytes, at: $0 * byteCount) }
  }
}

/// The linker's fingerprint of a program or library; equal in a file, its image in memory and its separate
/// debug file.
package struct BuildID: Hashable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// In lower-case hexadecimal.
  package var description: String { bytes.map(Self.pair).joined() }

  private static func pair(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }

  /// The identifier among the notes of a segment, if one holds it.
  init?(notes: [UInt8]) {
    let identifierType: UInt32 = 3
    var reader = ByteReader(notes)
    while let nameSize = try? reader.read(UInt32.self), let size = try? reader.read(UInt32.self),
      let type = try? reader.read(UInt32.self), let name = try? reader.part(Self.padded(nameSize)),
      var content = try? reader.part(Self.padded(size))
    {
      let isGNU = nameSize == 4 && name.bytes[name.offset..<name.end].elementsEqual("GNU\0".utf8)
      guard type == identifierType, isGNU, (2...64).contains(size) else { continue }
      let start = content.offset
      guard (try? content.skip(UInt64(size))) != nil else { return nil }
      self.init(Array(notes[start..<start + Int(size)]))
      return
    }
    return nil
  }

  private static func padded(_ size: UInt32) -> UInt64 { (UInt64(size) + 3) & ~3 }
}
