/// A file that is made of sections.
package struct ElfImage {
  private var contents: [UInt8] = []
  private var names: [UInt8] = [0]
  private var headers = [UInt8](repeating: 0, count: sectionHeaderByteCount)

  private static let headerByteCount = 64
  private static let sectionHeaderByteCount = 64

  package init() {}

  /// Adds a section of plain data.
  /// - Parameter isPacked: whether a header of compressed data stands in front of `bytes`.
  package mutating func add(_ name: String, _ bytes: [UInt8], isPacked: Bool = false) {
    addHeader(nameAt: names.count, bytes.count, isPacked: isPacked)
    contents += bytes
    names += Array(name.utf8) + [0]
  }

  /// Adds a section without contents, whose name starts somewhere among those of others.
  package mutating func add(nameAt place: Int) { addHeader(nameAt: place, 0, isPacked: false) }

  private mutating func addHeader(nameAt place: Int, _ byteCount: Int, isPacked: Bool) {
    let programData: UInt32 = 1
    let compressed: UInt64 = 0x800
    headers.append(littleEndian: UInt32(place))
    headers.append(littleEndian: programData)
    headers.append(littleEndian: isPacked ? compressed : 0)
    headers.append(littleEndian: UInt64(0))
    headers.append(littleEndian: UInt64(Self.headerByteCount + contents.count))
    headers.append(littleEndian: UInt64(byteCount))
    headers += [UInt8](repeating: 0, count: 24)
  }

  /// The whole file: header, sections, their headers.
  package var bytes: [UInt8] {
    var whole = self
    whole.names += Array(".shstrtab".utf8) + [0]
    whole.addHeader(nameAt: names.count, whole.names.count, isPacked: false)
    whole.contents += whole.names
    var file: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 33)
    file.append(littleEndian: UInt64(Self.headerByteCount + whole.contents.count))
    file += [UInt8](repeating: 0, count: 10)
    let count = whole.headers.count / Self.sectionHeaderByteCount
    file.append(littleEndian: UInt16(Self.sectionHeaderByteCount))
    file.append(littleEndian: UInt16(count))
    file.append(littleEndian: UInt16(count - 1))
    return file + whole.contents + whole.headers
  }
}
