import Symbols

/// The input is a library as it lies in memory, such as the kernel's own.
enum ImageInput {
  private static let base: UInt64 = 0x10000

  static func read(_ input: inout InputBytes) {
    let image = input.end()
    let memory = PieceMemory([(base, image)])
    let modules = ModuleMap(text: base..<base + 0x10000, path: "[vdso]")
    guard let module = modules.modules.first else { preconditionFailure("one line is one module") }
    _ = ModuleImage(module, memory: memory)?.buildID
    let stack: [UInt64] = [0x101ba, 0x101c9, 0]
    let bytes = stack.reduce(into: [UInt8]()) { $0.append(littleEndian: $1) }
    let unwinder = Unwinder(memory: memory, modules: modules)
    let symbolicator = Symbolicator(memory: memory, debugRoot: "/none")
    for offset in stride(from: 0x100, to: 0x300, by: 20) as StrideTo<UInt64> {
      var registers = RegisterSet()
      registers[Register.rsp] = 0x7000
      registers[Register.programCounter] = base + offset
      let unwound = unwinder.unwind(
        registers, stack: StackCopy(low: 0x7000, bytes: bytes, isTruncated: false), frameCountMax: 50)
      UnwindInput.check(unwound, frameCountMax: 50)
      _ = symbolicator.symbolicate(unwound.frames, in: modules)
    }
  }
}
