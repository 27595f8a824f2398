import MainspringTesting
import Symbols
import Testing

@Suite struct UnwinderTests {
  private func registers(programCounter: UInt64, stackPointer: UInt64) -> RegisterSet {
    var registers = RegisterSet()
    for register in 0..<Register.count { registers[register] = 0 }
    registers[Register.programCounter] = programCounter
    registers[Register.rsp] = stackPointer
    return registers
  }

  private func unwind(
    _ programCounter: UInt64, stack words: [UInt64], truncated: Bool = false, limit: Int = 512
  ) -> UnwoundStack {
    let (memory, modules) = FakeMemory.smallProgram(SmallProgram.version5.image)
    let unwinder = Unwinder(memory: memory, modules: modules)
    let stack = StackCopy(low: 0x7000, bytes: words.littleEndianBytes, isTruncated: truncated)
    return unwinder.unwind(
      registers(programCounter: programCounter, stackPointer: 0x7000), stack: stack, frameCountMax: limit)
  }

  @Test func `three functions without frame pointers`() {
    // outer ← other ← _start ← nothing.
    let result = unwind(0x10190, stack: [0x101ba, 0x101c9, 0])
    #expect(result.frames.map(\.programCounter) == [0x10190, 0x101ba, 0x101c9])
    #expect(result.frames.map(\.kind) == [.exact, .returnAddress, .returnAddress])
    #expect(result.frames.map(\.canonicalFrameAddress) == [0x7008, 0x7010, 0x7018])
    #expect(result.end == .base)
  }

  @Test func `a stack that ends too early is said to`() {
    #expect(unwind(0x10190, stack: [0x101ba]).end == .outsideCopy)
    #expect(unwind(0x10190, stack: []).end == .outsideCopy)
  }

  @Test func `of too many frames the middle is left out, and that is said`() {
    // other ← other ← … ← _start ← nothing.
    let result = unwind(0x101b0, stack: [UInt64](repeating: 0x101ba, count: 20) + [0x101c9, 0], limit: 8)
    #expect(result.frames.count == 8)
    #expect(result.omittedCount == 14)
    #expect(result.omittedAfter == 5)
    #expect(result.frames.first?.programCounter == 0x101b0)
    #expect(result.frames.last?.programCounter == 0x101c9)
    #expect(result.end == .base)
  }

  @Test func `an address in no module ends it`() {
    let result = unwind(0x10190, stack: [0x66666, 0x101c9, 0])
    #expect(result.frames.map(\.programCounter) == [0x10190, 0x66666])
    #expect(result.end == .noUnwindTable)
  }

  @Test func `rubbish never traps`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      let words = (0..<64).map { _ -> UInt64 in
        switch random.next() % 4 {
        case 0: random.next()
        case 1: 0x10000 + random.next() % 0x300
        case 2: 0x7000 + random.next() % 0x200
        default: UInt64(bitPattern: Int64(random.next() % 64) - 32)
        }
      }
      let result = unwind(0x10000 + random.next() % 0x400, stack: words, limit: 100)
      #expect(result.frames.count <= 100, "seed \(seed)")
    }
  }

  @Test(
    arguments: [
      ([0x08, 5, 0x23, 7], 12), ([0x77, 8], 0x7008), ([0x77, 0, 0x06], 0x1234), ([0x31, 0x32, 0x1c], .max),
      ([0x35, 0x33, 0x24], 40), ([0x09, 0xff, 0x30, 0x2d], 1), ([0x35, 0x34, 0x16, 0x1c], .max),
      ([0x12], nil), ([0xff], nil), ([0x57], 0x7000), ([], nil), ([0x35, 0x08, 64, 0x24], 0),
    ] as [([UInt8], UInt64?)])
  func `expressions compute what the standard says`(code: [UInt8], value: UInt64?) {
    let stack = StackCopy(low: 0x7000, bytes: [0x1234].littleEndianBytes, isTruncated: false)
    let result = DwarfExpression.evaluate(
      ByteReader(code), registers: registers(programCounter: 0, stackPointer: 0x7000), stack: stack)
    #expect(result == value)
  }

  @Test func `an expression deeper than its stack has no value`() {
    let stack = StackCopy(low: 0, bytes: [], isTruncated: false)
    let result = DwarfExpression.evaluate(
      ByteReader([UInt8](repeating: 0x31, count: 100)), registers: RegisterSet(), stack: stack)
    #expect(result == nil)
  }
}
