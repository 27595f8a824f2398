import Symbols
import Testing

@Suite struct ElfFileTests {
  @Test func `headers, build identifier and sections are read`() throws {
    let file = try ElfFile(image: SmallProgram.version5.image)
    #expect(file.buildID?.description == "920a2da9b6bdfb30e939af1d28c9410e115160b6")
    #expect(file.baseAddress == 0x10000)
    #expect(file.hasDebugInfo)
  }

  @Test func `what is no ELF file is refused`() {
    #expect(throws: ElfError.notElf) { try ElfFile(image: []) }
    #expect(throws: ElfError.notElf) { try ElfFile(image: Array("#!/bin/sh\n".utf8)) }
    #expect(throws: ElfError.notElf) { try ElfFile(path: "/proc/self/maps") }
    #expect(throws: ElfError.self) { try ElfFile(path: "/no/such/file") }
  }

  @Test(
    arguments: [
      (0x1017c, "outer"), (0x101aa, "outer"), (0x101ab, "other"), (0x101bf, "_start"), (0x1017b, nil),
      (0, nil), (.max, nil),
    ] as [(UInt64, String?)])
  func `the symbol that covers an address`(address: UInt64, name: String?) throws {
    let symbols = try #require(SymbolTable(try ElfFile(image: SmallProgram.version5.image)))
    #expect(symbols.symbol(at: address)?.name == name)
  }

  @Test func `separate debug files are looked for by build identifier and by link`() {
    let search = DebugFileSearch(root: "/debug")
    let identifier = BuildID([0xab, 0x01, 0xff])
    #expect(
      search.candidates(buildID: identifier, debugLink: "x.debug", path: "/usr/lib/x") == [
        "/debug/.build-id/ab/01ff.debug", "/usr/lib/x.debug", "/usr/lib/.debug/x.debug",
        "/debug/usr/lib/x.debug",
      ])
    #expect(search.candidates(buildID: nil, debugLink: "../../etc/x", path: "/usr/lib/x").isEmpty)
  }
}
