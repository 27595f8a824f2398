import Symbols

/// The lengths of nine sections, two bytes each, and the sections.
enum DwarfInput {
  static let sections = [
    ".debug_abbrev", ".debug_info", ".debug_line", ".debug_str", ".debug_line_str", ".debug_ranges",
    ".debug_rnglists", ".debug_addr", ".debug_str_offsets",
  ]

  static func read(_ input: inout InputBytes) {
    let counts = sections.map { _ in Int(input.short()) }
    var file = ElfImage()
    for (name, count) in zip(sections, counts) { file.add(name, input.part(count)) }
    guard let elf = try? ElfFile(image: file.bytes) else { preconditionFailure("the file around is sound") }
    let object = ObjectSymbols(elf, path: "/none/small", debugRoot: "/none")
    // Where the seeds have their code.
    for address in stride(from: 0x10000, to: 0x10200, by: 8) as StrideTo<UInt64> {
      ElfInput.check(object.frames(atOffset: address))
    }
  }
}
