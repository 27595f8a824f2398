/// What a module's headers say, read from memory: they are what runs, whatever lies on disk by now.
package struct ModuleImage {
  /// Run-time address minus address in the file's own numbering.
  let bias: UInt64
  private let segments: [ProgramHeader]
  private let memory: any MemoryReader

  /// Nil if no ELF header is mapped at the module's base.
  package init?(_ module: Module, memory: any MemoryReader) {
    guard let header = ElfHeader(memory.bytes(at: module.base, count: ElfHeader.byteCount)) else {
      return nil
    }
    let count = min(header.programHeaderCount, ProgramHeader.countMax)
    let table = memory.bytes(
      at: module.base &+ header.programHeaderOffset, count: count * ProgramHeader.byteCount)
    segments = ProgramHeader.table(table, count: count)
    guard let first = segments.first(where: { $0.kind == .load }) else { return nil }
    let page: UInt64 = 4095
    bias = module.base &- (first.address & ~page) &+ (first.fileOffset & ~page)
    self.memory = memory
  }

  package var buildID: BuildID? {
    let noteByteCountMax: UInt64 = 4096
    for segment in segments where segment.kind == .note {
      let count = Int(min(segment.fileByteCount, noteByteCountMax))
      if let found = BuildID(notes: memory.bytes(at: bias &+ segment.address, count: count)) { return found }
    }
    return nil
  }

  /// Where .eh_frame_hdr is at run time, and the segment around it, which holds .eh_frame as well.
  var unwindTables: (header: UInt64, segment: Range<UInt64>)? {
    guard let table = segments.first(where: { $0.kind == .exceptionFrameHeader }) else { return nil }
    for segment in segments where segment.kind == .load {
      let (end, overflow) = segment.address.addingReportingOverflow(segment.fileByteCount)
      guard !overflow, segment.address <= table.address, table.address < end else { continue }
      let low = bias &+ segment.address
      let high = bias &+ end
      guard low < high else { return nil }
      return (bias &+ table.address, low..<high)
    }
    return nil
  }
}
