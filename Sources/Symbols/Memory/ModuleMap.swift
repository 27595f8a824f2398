/// The executable mappings of a process, by address.
///
/// Taken from /proc/PID/maps, so that no lock of the loader is needed: a stalled thread may hold it.
package struct ModuleMap: Sendable, Equatable {
  /// In ascending order, without overlap.
  package private(set) var modules: [Module]

  /// A process with more executable mappings than this is cut off here.
  package static let moduleCountMax = 16_384

  /// Takes what it understands of the lines of a maps file, and leaves out the rest.
  package init(parsing bytes: [UInt8]) {
    modules = []
    var header: MapsLine?
    var rest = bytes[...]
    while !rest.isEmpty, modules.count < Self.moduleCountMax {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      if let line = MapsLine(rest[..<end]) { add(line, header: &header) }
      rest = rest[min(end + 1, rest.endIndex)...]
    }
  }

  /// A file's first mapping holds its header; code that follows of the same file belongs to it.
  private mutating func add(_ line: MapsLine, header: inout MapsLine?) {
    let isVirtual = line.path.elementsEqual("[vdso]".utf8)
    guard line.inode != 0 || isVirtual else { return }
    if line.offset == 0 { header = line }
    guard line.isExecutable, let first = header, first.isSameFile(as: line) else { return }
    guard line.range.lowerBound >= modules.last?.text.upperBound ?? 0 else { return }
    modules.append(
      Module(
        text: line.range, base: first.range.lowerBound, device: line.device, inode: line.inode,
        path: String(decoding: line.path, as: UTF8.self)))
  }

  /// The position in `modules` of the one that holds the address.
  package func index(at address: UInt64) -> Int? {
    var low = 0
    var high = modules.count
    while low < high {
      let middle = (low + high) / 2
      if modules[middle].text.upperBound <= address { low = middle + 1 } else { high = middle }
    }
    return low < modules.count && modules[low].text.lowerBound <= address ? low : nil
  }

  package func module(at address: UInt64) -> Module? { index(at: address).map { modules[$0] } }
}

/// `5600-5700 r-xp 00001000 fe:01 4711    /path`
struct MapsLine {
  let range: Range<UInt64>
  let isExecutable: Bool
  let offset: UInt64
  let device: UInt64
  let inode: UInt64
  let path: ArraySlice<UInt8>

  init?(_ line: ArraySlice<UInt8>) {
    var text = TextScanner(line)
    guard let low = text.hexadecimal(), text.skip("-"), let high = text.hexadecimal(), low < high,
      text.skip(" "), let rights = text.word(), rights.count == 4, text.skip(" "),
      let offset = text.hexadecimal(), text.skip(" "), let major = text.hexadecimal(), text.skip(":"),
      let minor = text.hexadecimal(), text.skip(" "), let inode = text.decimal()
    else { return nil }
    range = low..<high
    isExecutable = rights[rights.startIndex + 2] == UInt8(ascii: "x")
    self.offset = offset
    device = major << 32 | minor & 0xffff_ffff
    self.inode = inode
    text.skipSpaces()
    path = text.rest
  }

  func isSameFile(as other: MapsLine) -> Bool { device == other.device && inode == other.inode }
}
