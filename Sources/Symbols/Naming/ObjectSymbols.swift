/// What a program or library and its separate debug file say about addresses.
///
/// Holds descriptors and tables while it lives. Used by one thread.
package final class ObjectSymbols {
  package let file: ElfFile
  package let buildID: BuildID?
  private let debugFile: ElfFile?
  private lazy var debugInfo = DebugInfo(debugFile ?? file) ?? DebugInfo(file)
  private lazy var symbols = debugFile.flatMap { Self.fullTable($0) } ?? SymbolTable(file)

  /// - Parameters:
  ///   - path: where the file is, to look for a debug file near it.
  ///   - debugRoot: normally /usr/lib/debug.
  package init(_ file: ElfFile, path: String, debugRoot: String) {
    self.file = file
    buildID = file.buildID
    debugFile =
      file.hasDebugInfo ? nil : DebugFileSearch(root: debugRoot).debugFile(for: file, path: path)
  }

  /// Whether names come from the symbol table alone, although there is debug information: it is packed in a way that is not
  /// understood.
  package var lacksReadableDebugInfo: Bool {
    [debugFile, file].contains { $0?.hasUnreadableDebugInfo ?? false } && !file.hasDebugInfo
      && !(debugFile?.hasDebugInfo ?? false)
  }

  private static func fullTable(_ file: ElfFile) -> SymbolTable? {
    file.contents(ofSection: ".symtab") == nil ? nil : SymbolTable(file)
  }

  /// The functions at an offset from the image's first byte, innermost first. Empty: nothing is known.
  package func frames(atOffset offset: UInt64) -> [SourceFrame] {
    let address = file.baseAddress &+ offset
    var frames = debugInfo?.frames(at: address) ?? []
    // The symbol table is read only where the debug information has no full name for the function.
    guard frames.last?.isLinkageName != true else { return frames }
    guard let symbol = symbols?.symbol(at: address) else { return frames }
    if frames.isEmpty { frames = [.unknown] }
    frames[frames.count - 1].name = symbol.name
    frames[frames.count - 1].isLinkageName = true
    frames[frames.count - 1].functionOffset = address &- symbol.address
    return frames
  }
}
