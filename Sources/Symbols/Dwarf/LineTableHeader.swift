/// The header of a line table: how its program is written, and the files that it names.
struct LineTableHeader {
  struct File {
    let directory: Int
    let name: TextPlace
  }

  let version: UInt16
  let minimumInstructionLength: UInt64
  let lineBase: Int64
  let lineRange: UInt64
  let opcodeBase: UInt8
  /// How many operands each standard opcode has, from opcode 1 on.
  private(set) var operandCounts: [UInt8] = []
  private(set) var directories: [TextPlace?] = []
  private(set) var files: [File] = []
  /// Where the program starts and ends.
  let program: Range<Int>

  private static let directoryCountMax = 65_536
  private static let fileCountMax = 1 << 20
  private static let fieldCountMax: UInt8 = 32

  /// - Parameter reader: on the table, behind its length.
  init(_ reader: inout ByteReader, decoder: FormDecoder) throws(MalformedData) {
    version = try reader.read(UInt16.self)
    guard (2...5).contains(version) else { throw MalformedData(at: reader.offset) }
    if version >= 5 { try reader.skip(2) }
    let headerLength = try reader.unsigned(bytes: decoder.offsetByteCount)
    guard headerLength <= UInt64(reader.remaining) else { throw MalformedData(at: reader.offset) }
    program = reader.offset + Int(headerLength)..<reader.end
    minimumInstructionLength = UInt64(try reader.byte())
    if version >= 4 { _ = try reader.byte() }
    _ = try reader.byte()
    lineBase = Int64(try reader.read(Int8.self))
    lineRange = UInt64(try reader.byte())
    opcodeBase = try reader.byte()
    guard lineRange > 0, opcodeBase > 0 else { throw MalformedData(at: reader.offset) }
    for _ in 1..<max(1, Int(opcodeBase)) { operandCounts.append(try reader.byte()) }
    if version >= 5 { try readTables(&reader, decoder) } else { try readOldTables(&reader) }
  }

  /// Before DWARF 5, directory 0 is the unit's own and file 0 is none.
  private mutating func readOldTables(_ reader: inout ByteReader) throws(MalformedData) {
    directories.append(nil)
    while let place = try oldText(&reader) {
      if directories.count < Self.directoryCountMax { directories.append(place) }
    }
    files.append(File(directory: -1, name: .inline(-1)))
    while let place = try oldText(&reader) {
      let directory = Int(clamping: try reader.uleb())
      _ = try reader.uleb()
      _ = try reader.uleb()
      files.append(File(directory: directory, name: place))
    }
  }

  /// Nil for the empty text that ends a list.
  private func oldText(_ reader: inout ByteReader) throws(MalformedData) -> TextPlace? {
    let start = try reader.skipTerminatedText()
    return reader.offset - start > 1 ? .inline(start) : nil
  }

  private mutating func readTables(
    _ reader: inout ByteReader, _ decoder: FormDecoder
  ) throws(MalformedData) {
    try readTable(&reader, decoder, limit: Self.directoryCountMax) { self.directories.append($0.name) }
    try readTable(&reader, decoder, limit: Self.fileCountMax) { self.files.append($0) }
  }

  /// A list of a given shape: pairs of what a field means and how it is written.
  private func readTable(
    _ reader: inout ByteReader, _ decoder: FormDecoder, limit: Int, add: (File) -> Void
  ) throws(MalformedData) {
    var fields: [(content: UInt64, form: UInt64)] = []
    let fieldCount = try reader.byte()
    // There are five that mean something. Each could be of a form that takes no byte.
    guard fieldCount <= Self.fieldCountMax else { throw MalformedData(at: reader.offset) }
    for _ in 0..<fieldCount { fields.append((try reader.uleb(), try reader.uleb())) }
    let count = try reader.uleb()
    // Entries without fields take no bytes, so that their count could be anything.
    guard count == 0 || !fields.isEmpty, count <= UInt64(limit), count <= UInt64(reader.remaining) else {
      throw MalformedData(at: reader.offset)
    }
    for _ in 0..<count { add(try readFile(&reader, decoder, fields)) }
  }

  private func readFile(
    _ reader: inout ByteReader, _ decoder: FormDecoder, _ fields: [(content: UInt64, form: UInt64)]
  ) throws(MalformedData) -> File {
    let pathContent: UInt64 = 1
    let directoryContent: UInt64 = 2
    var name = TextPlace.inline(-1)
    var directory = 0
    for field in fields {
      let value = try decoder.value(field.form, implicit: 0, &reader)
      if field.content == pathContent, let place = value.text { name = place }
      if field.content == directoryContent { directory = Int(clamping: value.number ?? 0) }
    }
    return File(directory: directory, name: name)
  }
}
