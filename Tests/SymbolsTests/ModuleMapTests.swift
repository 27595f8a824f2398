import Symbols
import Testing

@Suite struct ModuleMapTests {
  private static let text = """
    55d000000000-55d000001000 r--p 00000000 fe:01 4711                       /usr/bin/a program
    55d000001000-55d000003000 r-xp 00001000 fe:01 4711                       /usr/bin/a program
    55d000003000-55d000004000 rw-p 00003000 fe:01 4711                       /usr/bin/a program
    7f0000000000-7f0000100000 rwxp 00000000 00:00 0 
    7f0000200000-7f0000201000 r-xp 00000000 fe:01 99                         /lib/one.so (deleted)
    7f0000300000-7f0000301000 r-xp 00005000 fe:01 77                         /lib/without-header.so
    7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                          [stack]
    7ffc00100000-7ffc00102000 r-xp 00000000 00:00 0                          [vdso]

    """

  @Test func `code that belongs to a file with a header is listed`() {
    let map = ModuleMap(parsing: Array(Self.text.utf8))
    #expect(map.modules.map(\.path) == ["/usr/bin/a program", "/lib/one.so (deleted)", "[vdso]"])
    #expect(map.modules.first?.base == 0x55d0_0000_0000)
    #expect(map.modules.first?.inode == 4711)
    #expect(map.modules.last?.isVirtual == true)
  }

  @Test(
    arguments: [
      (0x55d0_0000_0fff, nil), (0x55d0_0000_1000, 0), (0x55d0_0000_2fff, 0), (0x55d0_0000_3000, nil),
      (0x7f00_0020_0000, 1), (0x7ffc_0010_1fff, 2), (0, nil), (.max, nil),
    ] as [(UInt64, Int?)])
  func `an address is found in the mapping that holds it`(address: UInt64, index: Int?) {
    #expect(ModuleMap(parsing: Array(Self.text.utf8)).index(at: address) == index)
  }

  @Test func `cut off anywhere, it holds what came before`() {
    let bytes = Array(Self.text.utf8)
    var most = 0
    for count in 0...bytes.count {
      let modules = ModuleMap(parsing: Array(bytes[..<count])).modules
      #expect(modules.count >= most)
      most = max(most, modules.count)
    }
    #expect(most == 3)
  }

  @Test func `mappings out of order or upside down are left out`() {
    let text = """
      2000-3000 r-xp 00000000 fe:01 1 /a
      1000-2000 r-xp 00000000 fe:01 2 /b
      5000-4000 r-xp 00000000 fe:01 3 /c
      """
    #expect(ModuleMap(parsing: Array(text.utf8)).modules.map(\.path) == ["/a"])
  }

  @Test func `this process's own map holds its code and build identifiers`() throws {
    let memory = try ProcessMemory()
    let map = try ModuleMapFile().current()
    let libc = try #require(map.modules.first { $0.path.contains("libc.so") })
    let image = try #require(ModuleImage(libc, memory: memory))
    #expect(image.buildID?.bytes.count == 20)
    #expect(image.buildID == (try ElfFile(path: libc.path)).buildID)
  }
}
