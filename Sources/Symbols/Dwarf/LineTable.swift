/// Which line of which file an address of a unit belongs to.
struct LineTable {
  private let header: LineTableHeader
  /// The table up to its program: inline names lie there.
  private let headerBytes: [UInt8]
  private let program: LineProgram
  private let sections: DebugSections
  private let compilationDirectory: String?

  /// Nil if no table that is understood starts at `offset` of .debug_line.
  init?(_ sections: DebugSections, at offset: UInt64, unit: CompilationUnit) {
    guard let section = sections.lines else { return nil }
    var start = ByteReader(section.bytes(at: offset, count: 12))
    guard let short = try? start.read(UInt32.self) else { return nil }
    let isLong = short == .max
    guard let length = isLong ? try? start.read(UInt64.self) : UInt64(short), length <= section.byteCount
    else { return nil }
    let bytes = section.bytes(at: offset &+ UInt64(start.offset), count: length)
    var decoder = FormDecoder(offsetByteCount: isLong ? 8 : 4, unitOffset: 0, sections: sections)
    decoder.textOffsetsBase = unit.decoder.textOffsetsBase
    var reader = ByteReader(bytes)
    guard let header = try? LineTableHeader(&reader, decoder: decoder) else { return nil }
    self.header = header
    self.sections = sections
    headerBytes = Array(bytes[..<header.program.lowerBound])
    program = LineProgram(header, bytes)
    compilationDirectory = unit.text(unit.root.compilationDirectory)
  }

  /// The row that covers an address. Its line is 0 for code that optimisation left without a place.
  func row(at address: UInt64) -> LineRow? {
    position(of: address).map { program.rows[$0] }
  }

  /// The nearest row before an address that has a line and whose own address is accepted.
  func placedRow(before address: UInt64, where isAccepted: (UInt64) -> Bool) -> LineRow? {
    let rowCountMax = 64
    guard let position = position(of: address) else { return nil }
    return program.rows[max(0, position - rowCountMax)...position].last {
      $0.line != 0 && $0.address <= address && isAccepted($0.address)
    }
  }

  private func position(of address: UInt64) -> Int? {
    let candidateCount = 4
    let next = program.sequences.partitioningIndex { $0.code.lowerBound > address }
    for position in stride(from: next - 1, to: max(-1, next - 1 - candidateCount), by: -1) {
      let sequence = program.sequences[position]
      guard sequence.code.contains(address) else { continue }
      return lastPosition(in: sequence.rows, notAfter: address)
    }
    return nil
  }

  private func lastPosition(in range: Range<Int>, notAfter address: UInt64) -> Int? {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if program.rows[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    return low > range.lowerBound ? low - 1 : nil
  }

  /// The path of a file by its number, joined with the directories that it is relative to.
  func path(ofFile number: UInt64) -> String? {
    guard number < UInt64(header.files.count) else { return nil }
    let file = header.files[Int(number)]
    guard let name = sections.text(file.name, inline: headerBytes), !name.isEmpty else { return nil }
    var directory: String?
    if header.directories.indices.contains(file.directory), let place = header.directories[file.directory] {
      directory = sections.text(place, inline: headerBytes)
    }
    let parts = [compilationDirectory, directory, name].compactMap { $0 }.filter { !$0.isEmpty }
    let first = parts.lastIndex { $0.hasPrefix("/") } ?? 0
    return parts[first...].reduce("") { path, part in
      path.isEmpty || path.hasSuffix("/") ? path + part : path + "/" + part
    }
  }
}
