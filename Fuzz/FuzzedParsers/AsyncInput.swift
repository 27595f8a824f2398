import Symbols

/// A register each for stack and frame, and the memory that holds stack and contexts; the code is sound.
enum AsyncInput {
  private static let base: UInt64 = 0x10000
  private static let low: UInt64 = 0x7000_0000

  /// `push %rbp; push %r14; lea 8(%rsp), %rbp`, and some more to come back to.
  private static let function: [UInt8] =
    [0x55, 0x41, 0x56, 0x48, 0x8d, 0x6c, 0x24, 0x08] + .init(repeating: 0xe8, count: 56)

  /// An index of one function, whose canonical frame address is rbp + 16.
  private static let table: [UInt8] = {
    var bytes: [UInt8] = [1, 0x1b, 3, 0x3b]
    bytes.append(littleEndian: Int32(20 - 4))  // .eh_frame, from here on
    bytes.append(littleEndian: UInt32(1))
    bytes.append(littleEndian: Int32(0x1e00))  // the code, from the index on
    bytes.append(littleEndian: Int32(44))  // its entry
    let common: [UInt8] = [
      0, 0, 0, 0, 1, 0x7a, 0x52, 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 6, 16, 0x90, 1, 0x86, 2,
    ]
    bytes.append(littleEndian: UInt32(common.count))
    bytes += common
    bytes.append(littleEndian: UInt32(16))
    bytes.append(littleEndian: UInt32(28))  // back to the common part
    bytes.append(littleEndian: Int32(0x1e00 - 52))
    bytes.append(littleEndian: UInt32(function.count))
    return bytes + [0, 0, 0, 0]
  }()

  static func read(_ input: inout InputBytes) {
    var registers = RegisterSet()
    registers[Register.programCounter] = base + 0x2010
    registers[Register.rsp] = low + UInt64(input.short())
    registers[Register.rbp] = low + UInt64(input.short())
    let bytes = input.end()
    let memory = PieceMemory([(base, UnwindInput.image(table: table, code: function)), (low, bytes)])
    let unwinder = Unwinder(
      memory: memory, modules: ModuleMap(text: base..<base + 0x3000, path: "/none/small"))
    let stack = StackCopy(low: low, bytes: bytes, isTruncated: false)
    let unwound = unwinder.unwind(registers, stack: stack, frameCountMax: 64)
    UnwindInput.check(unwound, frameCountMax: 64, stackByteCount: bytes.count)
    let whole = unwinder.addingAsyncCallers(to: unwound, stack: stack)
    UnwindInput.check(whole, frameCountMax: 64 * (Unwinder.asyncCallerCountMax + 1))
  }
}
