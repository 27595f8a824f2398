import MainspringTesting
import Symbols
import Testing

/// Files that are cut off or changed at random: whatever the readers answer, they must answer.
@Suite struct DamagedFileTests {
  /// Asks everything that can be asked of a file; gives back how many frames were found.
  @discardableResult
  private func readAll(_ image: [UInt8]) -> Int {
    var found = 0
    if let file = try? ElfFile(image: image) {
      _ = file.buildID
      let symbols = SymbolTable(file)
      let object = ObjectSymbols(file, path: "/src/small", debugRoot: "/none")
      for offset in stride(from: 0x17c, to: 0x1e0, by: 12) as StrideTo<UInt64> {
        found += object.frames(atOffset: offset).count
        _ = symbols?.symbol(at: 0x10000 + offset)
      }
    }
    let (memory, modules) = FakeMemory.smallProgram(image)
    let unwinder = Unwinder(memory: memory, modules: modules)
    let stack = StackCopy(
      low: 0x7000, bytes: [0x101ba, 0x101c9, 0].littleEndianBytes, isTruncated: false)
    var registers = RegisterSet()
    registers[Register.rsp] = 0x7000
    for offset in stride(from: 0x17c, to: 0x1e0, by: 20) as StrideTo<UInt64> {
      registers[Register.programCounter] = 0x10000 + offset
      found += unwinder.unwind(registers, stack: stack, frameCountMax: 50).frames.count
    }
    return found
  }

  @Test(arguments: SmallProgram.allCases)
  func `cut off at every length`(program: SmallProgram) {
    let image = program.image
    let whole = readAll(image)
    // The headers and tables that all else hangs on lie at both ends: densely there, sparsely between.
    for count in 0..<image.count where count < 600 || count % 7 == 0 || count > image.count - 64 {
      #expect(readAll(Array(image[..<count])) <= whole + 200)
    }
  }

  @Test(arguments: SmallProgram.allCases)
  func `changed at random`(program: SmallProgram) {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("damaged files: seed \(seed)")
    var random = SeededRandom(seed: seed)
    for _ in 0..<1500 {
      var damaged = program.image
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        damaged[place] = Self.hostileByte(&random)
      }
      readAll(damaged)
    }
  }

  /// The bytes that break most: zero, all ones, signs, and any.
  private static func hostileByte(_ random: inout SeededRandom) -> UInt8 {
    switch random.next() % 5 {
    case 0: 0
    case 1: 0xff
    case 2: 0x80
    case 3: 0x7f
    default: UInt8(truncatingIfNeeded: random.next())
    }
  }

  @Test(arguments: SmallProgram.allCases)
  func `with every number of its headers at its largest`(program: SmallProgram) {
    for place in 0..<64 * 3 {
      var damaged = program.image
      for byte in place..<min(place + 8, damaged.count) { damaged[byte] = 0xff }
      readAll(damaged)
    }
  }
}
