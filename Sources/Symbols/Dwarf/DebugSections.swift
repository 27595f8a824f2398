/// The sections of one file that hold its debug information.
struct DebugSections {
  let info: SectionContents
  let abbreviations: SectionContents
  private let texts: SectionContents?
  private let lineTexts: SectionContents?
  private let textOffsets: SectionContents?
  private let addresses: SectionContents?
  let lines: SectionContents?
  let ranges: SectionContents?
  let rangeLists: SectionContents?

  init?(_ file: ElfFile) {
    guard let info = file.contents(ofSection: ".debug_info"),
      let abbreviations = file.contents(ofSection: ".debug_abbrev")
    else { return nil }
    self.info = info
    self.abbreviations = abbreviations
    texts = file.contents(ofSection: ".debug_str")
    lineTexts = file.contents(ofSection: ".debug_line_str")
    textOffsets = file.contents(ofSection: ".debug_str_offsets")
    addresses = file.contents(ofSection: ".debug_addr")
    lines = file.contents(ofSection: ".debug_line")
    ranges = file.contents(ofSection: ".debug_ranges")
    rangeLists = file.contents(ofSection: ".debug_rnglists")
  }

  /// The text at a place.
  /// - Parameter inline: the bytes that inline texts lie in.
  func text(_ place: TextPlace, inline: [UInt8]) -> String? {
    switch place {
    case .inline(let offset): inline.terminatedText(at: offset)
    case .texts(let offset): texts?.text(at: offset)
    case .lineTexts(let offset): lineTexts?.text(at: offset)
    }
  }

  func textOffset(_ index: UInt64, base: UInt64, offsetByteCount: Int) -> UInt64? {
    textOffsets?.unsigned(at: base &+ index &* UInt64(offsetByteCount), byteCount: offsetByteCount)
  }

  func address(_ index: UInt64, base: UInt64) -> UInt64? {
    addresses?.unsigned(at: base &+ index &* 8, byteCount: 8)
  }
}

/// Where a text lies. Texts are read when they are shown: few of them ever are.
enum TextPlace {
  /// In the bytes of the unit or line table itself.
  case inline(Int)
  case texts(UInt64)
  case lineTexts(UInt64)
}
