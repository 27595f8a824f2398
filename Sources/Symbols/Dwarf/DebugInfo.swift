/// A place in the source, with the function that it lies in.
package struct SourceFrame: Equatable {
  package var name: String?
  /// Whether the name is the linker's. Else it is the plain one, without types and namespaces; in C, they
  /// are the same.
  package var isLinkageName = false
  package var path: String?
  package var line: Int
  package var column: Int
  /// Whether the code itself has no line, and this is the nearest before it in the same function.
  package var isNearestLine = false
  /// Whether the function was inlined into that of the next frame.
  package var isInlined: Bool
  /// How far behind the first byte of the function the code is; nil where that is not known, or it was inlined.
  package var functionOffset: UInt64?

  package init(name: String?, path: String?, line: Int, column: Int, isInlined: Bool) {
    self.name = name
    self.path = path
    self.line = line
    self.column = column
    self.isInlined = isInlined
  }

  /// A function of which nothing is known.
  static let unknown = SourceFrame(name: nil, path: nil, line: 0, column: 0, isInlined: false)
}

/// The debug information of one file: DWARF 2 to 5.
///
/// Reads the units' first entries when made, the rest when asked for. Used by one thread.
package final class DebugInfo {
  private static let unitCountMax = 1 << 17
  private static let rangeCountMax = 1 << 20
  private static let nameDepthMax = 6

  private let sections: DebugSections
  private var units: [CompilationUnit] = []
  /// Of all tables of abbreviations together. Those of a sound file do not overlap; a hostile one can let each unit name
  /// a table that begins one byte further on.
  private(set) var abbreviationByteCount: UInt64 = 0
  /// How many entries of range lists the units may still take: thousands can share one long list.
  private var rangesLeft = rangeCountMax
  private var ranges: [(code: Range<UInt64>, unit: Int)] = []

  /// Nil if the file has none.
  package init?(_ file: ElfFile) {
    guard let sections = DebugSections(file) else { return nil }
    self.sections = sections
    readUnits()
    ranges.sort { $0.code.lowerBound < $1.code.lowerBound }
  }

  private func readUnits() {
    var tables: [UInt64: Abbreviations] = [:]
    var offset: UInt64 = 0
    while offset < sections.info.byteCount, units.count < Self.unitCountMax {
      guard let header = readUnit(at: offset, &tables) else { return }
      offset = header.range.upperBound
    }
  }

  /// Nil where the section stops making sense.
  private func readUnit(at offset: UInt64, _ tables: inout [UInt64: Abbreviations]) -> UnitHeader? {
    let usualRootByteCount: UInt64 = 1024
    let rootByteCountMax: UInt64 = 1 << 16
    var start = sections.info.bytes(at: offset, count: usualRootByteCount)
    guard
      let header = try? UnitHeader(start, at: offset, sectionByteCount: sections.info.byteCount),
      header.range.upperBound > offset
    else { return nil }
    guard header.isUsable else { return header }
    let table = abbreviations(for: header, &tables)
    var unit = try? CompilationUnit(header, start: start, abbreviations: table, sections: sections)
    if unit == nil, UInt64(header.range.count) > usualRootByteCount {
      start = sections.info.bytes(at: offset, count: rootByteCountMax)
      unit = try? CompilationUnit(header, start: start, abbreviations: table, sections: sections)
    }
    if let unit { add(unit) }
    return header
  }

  private func abbreviations(
    for header: UnitHeader, _ tables: inout [UInt64: Abbreviations]
  ) -> Abbreviations {
    // Units of both widths may share one table, whose sizes then differ.
    let key = header.abbreviationsOffset << 1 | (header.offsetByteCount == 8 ? 1 : 0)
    if let known = tables[key] { return known }
    let decoder = FormDecoder(
      offsetByteCount: header.offsetByteCount, unitOffset: 0, sections: sections)
    let table = Abbreviations(
      sections.abbreviations.all, at: header.abbreviationsOffset, decoder: decoder,
      isReadable: abbreviationByteCount <= 2 * sections.abbreviations.byteCount)
    abbreviationByteCount += UInt64(table.byteCount)
    tables[key] = table
    return table
  }

  private func add(_ unit: CompilationUnit) {
    let position = units.count
    units.append(unit)
    for range in unit.ranges(of: unit.root, limit: &rangesLeft) where range.lowerBound != 0 {
      ranges.append((range, position))
    }
  }

  private func unit(covering address: UInt64) -> CompilationUnit? {
    let candidateCount = 4
    let next = ranges.partitioningIndex { $0.code.lowerBound > address }
    for position in stride(from: next - 1, to: max(-1, next - 1 - candidateCount), by: -1) {
      if ranges[position].code.contains(address) { return units[ranges[position].unit] }
    }
    return nil
  }

  /// The functions at an address of the file, innermost first: inlined ones, then the real one.
  /// Empty if no unit covers it.
  package func frames(at address: UInt64) -> [SourceFrame] {
    guard let unit = unit(covering: address) else { return [] }
    guard let function = unit.functions.function(at: address) else {
      return [place(of: address, in: unit) { _ in false }]
    }
    let calls = unit.functions.inlinedCalls(at: address, in: function)
    // The line of another function, inlined beside this one, would mislead.
    var place = place(of: address, in: unit) { other in
      function.code.contains(other)
        && unit.functions.inlinedCalls(at: other, in: function).first?.entry == calls.first?.entry
    }
    var frames: [SourceFrame] = []
    for call in calls {
      setName(of: &place, from: call.entry, in: unit)
      place.isInlined = true
      frames.append(place)
      // The next function outwards was at the place where it made this call.
      place = SourceFrame(
        name: nil, path: unit.lines?.path(ofFile: call.file), line: Int(clamping: call.line),
        column: Int(clamping: call.column), isInlined: false)
    }
    setName(of: &place, from: function.entry, in: unit)
    place.functionOffset = address &- function.code.lowerBound
    return frames + [place]
  }

  /// The place that the line table has for an address, or else the nearest before it in the same function.
  private func place(
    of address: UInt64, in unit: CompilationUnit, isSameFunction: (UInt64) -> Bool
  ) -> SourceFrame {
    var row = unit.lines?.row(at: address)
    let nearest = row?.line == 0 ? unit.lines?.placedRow(before: address, where: isSameFunction) : nil
    row = nearest ?? row
    var frame = SourceFrame(
      name: nil, path: row.flatMap { unit.lines?.path(ofFile: UInt64($0.file)) },
      line: Int(row?.line ?? 0), column: Int(row?.column ?? 0), isInlined: false)
    frame.isNearestLine = nearest != nil
    return frame
  }

  private func setName(of frame: inout SourceFrame, from entry: Int, in unit: CompilationUnit) {
    let found = name(ofEntryAt: unit.header.range.lowerBound &+ UInt64(entry), depth: 0)
    frame.name = found?.name
    frame.isLinkageName = found?.isLinkageName == true
  }

  /// The linkage name of an entry or of what it is an instance of; else the plain name.
  private func name(ofEntryAt offset: UInt64, depth: Int) -> (name: String, isLinkageName: Bool)? {
    guard depth <= Self.nameDepthMax else { return nil }
    let next = units.partitioningIndex { $0.header.range.lowerBound > offset }
    guard next > 0, let entry = units[next - 1].entry(at: offset) else { return nil }
    let unit = units[next - 1]
    if let name = unit.text(entry.linkageName), !name.isEmpty { return (name, true) }
    for other in [entry.specification, entry.origin] {
      if let other, let found = name(ofEntryAt: other, depth: depth + 1) { return found }
    }
    return unit.text(entry.name).map { ($0, false) }
  }
}
