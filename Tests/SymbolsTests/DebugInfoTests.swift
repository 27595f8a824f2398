import Symbols
import Testing

@Suite struct DebugInfoTests {
  private func frames(_ program: SmallProgram, at offset: UInt64) throws -> [SourceFrame] {
    let object = ObjectSymbols(try ElfFile(image: program.image), path: "/src/small", debugRoot: "/none")
    return object.frames(atOffset: offset).map { frame in
      var frame = frame
      frame.functionOffset = nil
      return frame
    }
  }

  private func frame(_ name: String, _ line: Int, _ column: Int, inlined: Bool = false) -> SourceFrame {
    var frame = SourceFrame(
      name: name, path: "/src/small.c", line: line, column: column, isInlined: inlined)
    // Inlined functions are in no symbol table.
    frame.isLinkageName = !inlined
    return frame
  }

  @Test(arguments: SmallProgram.allCases)
  func `a plain function has one frame`(program: SmallProgram) throws {
    #expect(try frames(program, at: 0x17c) == [frame("outer", 12, 21)])
    #expect(try frames(program, at: 0x1ab).map(\.name) == ["other"])
  }

  @Test(arguments: SmallProgram.allCases)
  func `inlined functions come first, each with its own place`(program: SmallProgram) throws {
    #expect(
      try frames(program, at: 0x194) == [
        frame("innermost", 5, 15, inlined: true), frame("middle", 8, 10, inlined: true),
        frame("outer", 12, 38),
      ])
  }

  @Test(arguments: SmallProgram.allCases)
  func `the real function knows how far in it is, the inlined ones do not`(program: SmallProgram) throws {
    let object = ObjectSymbols(try ElfFile(image: program.image), path: "/src/small", debugRoot: "/none")
    let early = try #require(object.frames(atOffset: 0x17c).last?.functionOffset)
    #expect(object.frames(atOffset: 0x194).map(\.functionOffset) == [nil, nil, early + 0x18])
  }

  @Test(arguments: SmallProgram.allCases)
  func `an address outside of all code has none`(program: SmallProgram) throws {
    #expect(try frames(program, at: 0x10).isEmpty)
    #expect(try frames(program, at: 0x10000).isEmpty)
    #expect(try frames(program, at: .max).isEmpty)
  }
}
