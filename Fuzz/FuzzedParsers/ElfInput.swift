import Symbols

/// The input is a file.
enum ElfInput {
  static func read(_ bytes: [UInt8]) {
    guard let file = try? ElfFile(image: bytes) else { return }
    _ = file.buildID?.description
    _ = file.hasUnreadableDebugInfo
    let object = ObjectSymbols(file, path: "/none/small", debugRoot: "/none")
    _ = object.lacksReadableDebugInfo
    let symbols = SymbolTable(file)
    for offset in stride(from: 0x100, to: 0x300, by: 16) as StrideTo<UInt64> {
      check(object.frames(atOffset: offset))
      _ = symbols?.symbol(at: file.baseAddress &+ offset)
    }
  }

  static func check(_ frames: [SourceFrame]) {
    let depthMax = 65
    precondition(frames.count <= depthMax, "\(frames.count) functions at one address")
    precondition(frames.allSatisfy { $0.line >= 0 && $0.column >= 0 }, "a place before its file")
    precondition(frames.last?.isInlined != true, "inlined into nothing")
  }

  /// Two bytes: how much is promised; then what is packed.
  static func unpack(_ input: inout InputBytes) {
    let count = Int(input.short())
    let unpacked = Inflate.unpack(input.end(), byteCount: count)
    precondition(unpacked == nil || unpacked?.count == count, "\(unpacked?.count ?? 0) of \(count) bytes")
  }
}
