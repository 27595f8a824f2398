/// The header of a unit of .debug_info.
struct UnitHeader {
  /// Where it starts in the section, and where the next one does.
  let range: Range<UInt64>
  let version: UInt16
  let offsetByteCount: Int
  let abbreviationsOffset: UInt64
  /// Where its first entry starts, counted from the unit's start.
  let firstEntry: Int
  /// Whether it describes code, in a form that is understood.
  let isUsable: Bool

  /// - Parameter bytes: the section from `offset` on, as much as is there.
  init(_ bytes: [UInt8], at offset: UInt64, sectionByteCount: UInt64) throws(MalformedData) {
    var reader = ByteReader(bytes)
    var length = UInt64(try reader.read(UInt32.self))
    offsetByteCount = length == 0xffff_ffff ? 8 : 4
    if offsetByteCount == 8 { length = try reader.read(UInt64.self) }
    let start = offset + UInt64(reader.offset)
    guard length <= sectionByteCount - min(start, sectionByteCount) else { throw MalformedData(at: 0) }
    range = offset..<start + length
    version = try reader.read(UInt16.self)
    let compileUnit: UInt8 = 1
    let partialUnit: UInt8 = 3
    let skeletonUnit: UInt8 = 4
    let splitUnit: UInt8 = 5
    var type = compileUnit
    let addressByteCount: UInt8
    if version >= 5 {
      type = try reader.byte()
      addressByteCount = try reader.byte()
      abbreviationsOffset = try reader.unsigned(bytes: offsetByteCount)
      if type == skeletonUnit || type == splitUnit { try reader.skip(8) }
    } else {
      abbreviationsOffset = try reader.unsigned(bytes: offsetByteCount)
      addressByteCount = try reader.byte()
    }
    firstEntry = reader.offset
    isUsable =
      (2...5).contains(version) && addressByteCount == 8
      && [compileUnit, partialUnit, skeletonUnit, splitUnit].contains(type)
  }
}

/// A unit: the code of one source file, or of a whole Swift module.
///
/// Its functions and lines are read when an address inside is first asked for.
final class CompilationUnit {
  let header: UnitHeader
  let abbreviations: Abbreviations
  let sections: DebugSections
  private(set) var decoder: FormDecoder
  private(set) var root: DebugEntry
  /// All bytes of the unit, from its header on.
  private(set) lazy var bytes = sections.info.bytes(
    at: header.range.lowerBound, count: UInt64(header.range.count))
  private(set) lazy var functions = FunctionIndex(self)
  private(set) lazy var lines = root.lineTable.flatMap { LineTable(sections, at: $0, unit: self) }

  /// - Parameter start: the unit's first bytes, at least to the end of its first entry.
  init(
    _ header: UnitHeader, start: [UInt8], abbreviations: Abbreviations, sections: DebugSections
  ) throws(MalformedData) {
    self.header = header
    self.abbreviations = abbreviations
    self.sections = sections
    var decoder = FormDecoder(
      offsetByteCount: header.offsetByteCount, unitOffset: header.range.lowerBound, sections: sections)
    // Twice: the first reading finds the bases that indexed addresses and texts of the second need.
    let first = try Self.readRoot(start, header, abbreviations, decoder)
    decoder.textOffsetsBase = first.textOffsetsBase ?? decoder.textOffsetsBase
    decoder.addressBase = first.addressBase ?? decoder.addressBase
    root = try Self.readRoot(start, header, abbreviations, decoder)
    self.decoder = decoder
  }

  private static func readRoot(
    _ start: [UInt8], _ header: UnitHeader, _ table: Abbreviations, _ decoder: FormDecoder
  ) throws(MalformedData) -> DebugEntry {
    var reader = ByteReader(start)
    try reader.move(to: header.firstEntry)
    guard let abbreviation = table.abbreviation(try reader.uleb()) else {
      throw MalformedData(at: reader.offset)
    }
    return try DebugEntry(abbreviation, of: table, decoder, &reader)
  }

  /// The entry at an offset of .debug_info that lies in this unit.
  func entry(at offset: UInt64) -> DebugEntry? {
    guard header.range.contains(offset) else { return nil }
    var reader = ByteReader(bytes)
    guard (try? reader.move(to: Int(offset - header.range.lowerBound))) != nil,
      let code = try? reader.uleb(), let abbreviation = abbreviations.abbreviation(code)
    else { return nil }
    return try? DebugEntry(abbreviation, of: abbreviations, decoder, &reader)
  }

  /// The stretches of code of an entry.
  /// - Parameter limit: how many entries of lists may be read; less by as many as were.
  func ranges(of entry: DebugEntry, limit: inout Int) -> [Range<UInt64>] {
    if case .none = entry.ranges { return entry.contiguousRange.map { [$0] } ?? [] }
    let lists = RangeLists(
      version: header.version, sections: sections, offsetByteCount: header.offsetByteCount,
      addressBase: decoder.addressBase, listsBase: root.rangeListsBase ?? 0,
      unitLow: root.low.address ?? 0)
    return lists.ranges(entry.ranges, limit: &limit)
  }

  func text(_ place: TextPlace?) -> String? {
    place.flatMap { sections.text($0, inline: bytes) }
  }
}
