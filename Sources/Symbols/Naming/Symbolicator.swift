import LinuxKernel

/// Names the functions of stacks.
///
/// Reads the files of programs and libraries, which stay open until `closeFiles`; keeps what it found. May
/// take milliseconds and allocates: not for the thread that holds anybody up. Used by one thread at a time.
package final class Symbolicator {
  private struct Place: Hashable {
    let module: Module
    let address: UInt64
  }

  private static let knownCountMax = 16_384

  private let memory: any MemoryReader
  private let debugRoot: String
  /// `/proc/self` or that of another process.
  private let processDirectory: String
  private var known: [Place: [SymbolFrame]] = [:]
  private var demangler = Demangler()
  /// Files that are open, with what was read of them; nil inside: cannot be used.
  private var objects: [Module: ObjectSymbols?] = [:]
  /// The files whose debug information was not read, as it is packed in a way that is not understood: their functions have
  /// names, but no lines and no inlined ones.
  package private(set) var unreadDebugInfo: Set<String> = []

  /// - Parameters:
  ///   - memory: of the process that the stacks come from.
  ///   - process: its number; nil: this one.
  package init(memory: any MemoryReader, process: Int32? = nil, debugRoot: String = "/usr/lib/debug") {
    self.memory = memory
    self.debugRoot = debugRoot
    processDirectory = "/proc/\(process.map(String.init) ?? "self")"
  }

  /// The functions of each frame. One result for each frame, in the same order.
  ///
  /// Some µs a frame for frames seen before; else milliseconds a file.
  /// - Parameter modules: what was loaded when the stack was taken.
  package func symbolicate(_ frames: [UnwoundFrame], in modules: ModuleMap) -> [SymbolicatedFrame] {
    frames.map { SymbolicatedFrame(frame: $0, functions: functions(of: $0, in: modules)) }
  }

  /// Closes the files and drops their tables: what takes milliseconds to read is megabytes, too. To be called when no more
  /// stacks are at hand.
  package func closeFiles() { objects.removeAll() }

  private func functions(of frame: UnwoundFrame, in modules: ModuleMap) -> [SymbolFrame] {
    let address = frame.lookupAddress
    guard let module = modules.module(at: address) else { return [Self.unknown(frame.programCounter)] }
    let place = Place(module: module, address: address)
    if let found = known[place] { return found }
    let found = functions(at: address, in: module)
    if known.count >= Self.knownCountMax { known.removeAll() }
    known[place] = found
    return found
  }

  private static func unknown(_ address: UInt64) -> SymbolFrame {
    SymbolFrame(
      name: "0x" + String(address, radix: 16), linkageName: nil, path: nil, line: 0, column: 0,
      isInlined: false, imagePath: "", imageOffset: 0, buildID: nil)
  }

  private func functions(at address: UInt64, in module: Module) -> [SymbolFrame] {
    let offset = address &- module.base
    let object = object(for: module)
    let frames = object?.frames(atOffset: offset) ?? []
    return (frames.isEmpty ? [.unknown] : frames).map { symbolFrame($0, module, offset, object?.buildID) }
  }

  private func symbolFrame(
    _ source: SourceFrame, _ module: Module, _ offset: UInt64, _ buildID: BuildID?
  ) -> SymbolFrame {
    let file = module.path.split(separator: "/").last.map(String.init) ?? module.path
    let name = source.name.map { demangler.name(for: $0) }
    // Line 0 is the compiler's mark for code that stands nowhere.
    let hasPlace = source.line > 0 && source.path?.hasSuffix("<compiler-generated>") == false
    return SymbolFrame(
      name: name ?? "\(file)+0x\(String(offset, radix: 16))", linkageName: source.name,
      path: hasPlace ? source.path : nil, line: hasPlace ? source.line : 0,
      column: hasPlace ? source.column : 0, isNearestLine: hasPlace && source.isNearestLine,
      isInlined: source.isInlined, imagePath: module.path,
      imageOffset: offset, buildID: buildID, functionOffset: source.functionOffset)
  }

  private func object(for module: Module) -> ObjectSymbols? {
    if let known = objects[module] { return known }
    let found = openFile(of: module).map {
      ObjectSymbols($0, path: module.path, debugRoot: debugRoot)
    }
    objects[module] = .some(found)
    if found?.lacksReadableDebugInfo ?? false { unreadDebugInfo.insert(module.path) }
    return found
  }

  /// The file that a module was mapped from, if it is still to be had.
  private func openFile(of module: Module) -> ElfFile? {
    if module.isVirtual {
      return try? ElfFile(image: memory.bytes(at: module.base, count: module.byteCountFromBase))
    }
    let loaded = ModuleImage(module, memory: memory)?.buildID
    // A program that was replaced on disk while it runs is still to be had under its second name.
    for path in [module.path, processDirectory + "/exe"] {
      guard let file = try? ElfFile(path: path) else { continue }
      if file.buildID == loaded, loaded != nil || path == module.path { return file }
    }
    return nil
  }
}
