/// One reader of what comes from outside, and how any bytes are put before it.
///
/// The fuzzer and the tests give it the same inputs: what one has found, the other keeps mended.
package enum FuzzedParser: String, CaseIterable, Sendable {
  /// A file: headers, sections, notes, symbols, debug information.
  case elf
  /// Packed sections.
  case inflate
  /// The sections of debug information, from an address to named frames.
  case dwarf
  /// A library in memory: headers, notes, unwind tables, and its names.
  case image
  /// .eh_frame_hdr, .eh_frame and a stack.
  case unwind
  /// The contexts of async functions.
  case async
  /// Expressions of unwind tables.
  case expression
  /// /proc/PID/maps.
  case maps
  /// The small files of a thread.
  case proc
  /// Words that threads sleep on, and who waits for whom.
  case waits
  /// Linkage names.
  case demangle
  /// The text of a report with whatever in its names.
  case report
  /// The JSON of a report.
  case json
  /// What a monitor says of its stalls in an archive's folder, and the names of files there.
  case archive
  /// The message of another process.
  case message

  /// Lets the parser read. Whatever it answers, it must answer; traps where an answer cannot be.
  package func read(_ bytes: [UInt8]) {
    var input = InputBytes(bytes)
    switch self {
    case .elf: ElfInput.read(bytes)
    case .inflate: ElfInput.unpack(&input)
    case .dwarf: DwarfInput.read(&input)
    case .image: ImageInput.read(&input)
    case .unwind: UnwindInput.read(&input)
    case .async: AsyncInput.read(&input)
    case .expression: ExpressionInput.read(&input)
    case .maps: KernelTextInput.readMaps(bytes)
    case .proc: KernelTextInput.readThread(bytes)
    case .waits: WaitInput.read(&input)
    case .demangle: NameInput.read(&input)
    case .report: ReportInput.read(&input)
    case .json: JSONInput.read(bytes)
    case .archive: ArchiveInput.read(bytes)
    case .message: MessageInput.read(bytes)
    }
  }
}
