import Symbols

/// Flags, the code's place of the three registers, the lengths of table and code; table, code, and the stack.
enum UnwindInput {
  private static let base: UInt64 = 0x10000
  private static let tables: UInt64 = 0x200
  private static let code: UInt64 = 0x2000
  private static let stack: UInt64 = 0x7fff_0000
  private static let frameCountMax = 64

  static func read(_ input: inout InputBytes) {
    let flags = input.byte()
    var registers = RegisterSet()
    registers[Register.programCounter] = base + code + UInt64(input.short())
    registers[Register.rsp] = stack + UInt64(input.short())
    let framePointer = UInt64(input.short())
    if flags & 1 == 0 { registers[Register.rbp] = stack + framePointer }
    let (tableByteCount, codeByteCount) = (Int(input.short()), Int(input.short()))
    let table = input.part(min(tableByteCount, Int(code - tables)))
    let image = image(table: table, code: input.part(codeByteCount))
    let words = input.end()
    let memory = PieceMemory([(base, image), (stack, words)])
    let modules = ModuleMap(text: base..<base + 0x10000, path: "/none/small")
    let unwinder = Unwinder(memory: memory, modules: modules)
    let copy = copy(of: words, flags: flags, memory)
    let unwound = unwinder.unwind(registers, stack: copy, frameCountMax: frameCountMax)
    check(unwound, frameCountMax: frameCountMax, stackByteCount: copy.rest == nil ? words.count : nil)
    let readCountMax = 1 << 18
    precondition(memory.readCount < readCountMax, "\(memory.readCount) readings of memory for one stack")
    check(unwinder.addingAsyncCallers(to: unwound, stack: copy), frameCountMax: frameCountMax * 65)
    _ = unwound.withoutUnbegunHandler(stackPointer: registers[Register.rsp])
  }

  /// Whole, or only its two ends, the middle to be read from memory.
  private static func copy(of words: [UInt8], flags: UInt8, _ memory: PieceMemory) -> StackCopy {
    guard flags & 2 != 0 else { return StackCopy(low: stack, bytes: words, isTruncated: false) }
    let leaf = Array(words.prefix(words.count / 4))
    let root = Array(words.suffix(words.count / 4))
    return StackCopy(
      low: stack, bytes: leaf, isTruncated: true,
      root: StackCopy.Part(low: stack + UInt64(words.count - root.count), bytes: root),
      rest: flags & 4 != 0 ? StackRest(memory: memory) : nil)
  }

  /// - Parameter stackByteCount: a frame takes at least eight bytes, and only some may go back.
  static func check(_ stack: UnwoundStack, frameCountMax: Int, stackByteCount: Int? = nil) {
    precondition(
      stack.frames.count <= frameCountMax && !stack.frames.isEmpty, "\(stack.frames.count) frames are kept")
    precondition(
      stack.omittedCount >= 0 && stack.omittedAfter >= 0, "\(stack.omittedCount) frames left out")
    guard let stackByteCount else { return }
    let count = stack.frames.count + stack.omittedCount
    precondition(count <= 20 * (stackByteCount / 8 + 3), "\(count) frames in \(stackByteCount) bytes")
  }

  /// A library of one segment, whose index of unwind tables lies behind its headers.
  static func image(table: [UInt8], code machineCode: [UInt8]) -> [UInt8] {
    var image: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 25)
    image.append(littleEndian: UInt64(64))
    image += [UInt8](repeating: 0, count: 14)
    image.append(littleEndian: UInt16(56))
    image.append(littleEndian: UInt16(2))
    image += [UInt8](repeating: 0, count: 6)
    let segments: [(kind: UInt32, offset: UInt64, count: UInt64)] = [
      (1, 0, code + UInt64(machineCode.count)), (0x6474_e550, tables, UInt64(table.count)),
    ]
    for segment in segments {
      image.append(littleEndian: segment.kind)
      image.append(littleEndian: UInt32(5))
      for value in [segment.offset, segment.offset, segment.offset, segment.count, segment.count, 4096] {
        image.append(littleEndian: value)
      }
    }
    image += [UInt8](repeating: 0, count: Int(tables) - image.count) + table
    return image + [UInt8](repeating: 0, count: Int(code) - image.count) + machineCode
  }
}
