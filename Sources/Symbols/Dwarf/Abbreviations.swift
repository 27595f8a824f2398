/// One shape of entry.
struct Abbreviation {
  let tag: UInt64
  let hasChildren: Bool
  /// Positions in the table's attributes.
  let attributes: Range<Int>
  /// The size of such an entry without its code, or nil if it differs from entry to entry.
  let byteCount: Int?
}

/// The shapes of the entries of a unit.
final class Abbreviations {
  struct Attribute {
    let name: UInt64
    let form: UInt64
    let implicit: Int64
  }

  /// Longer lists are none: each entry of such a shape would take as many steps, and perhaps not a byte.
  private static let attributesPerEntryMax = 256

  /// How many bytes the table takes.
  private(set) var byteCount = 0
  private(set) var attributes: [Attribute] = []
  private var inOrder: [Abbreviation] = []
  private var others: [UInt64: Abbreviation] = [:]

  /// Reads up to the end mark, or to where it stops making sense.
  /// - Parameter isReadable: whether there is to be more than an empty table.
  init(_ bytes: [UInt8], at offset: UInt64, decoder: FormDecoder, isReadable: Bool) {
    guard isReadable, let start = Int(exactly: offset), start < bytes.count else { return }
    var reader = ByteReader(bytes, in: start..<bytes.count)
    defer { byteCount = reader.offset - start }
    while let code = try? reader.uleb(), code != 0 {
      guard let abbreviation = try? read(&reader, decoder) else { return }
      if code == UInt64(inOrder.count) + 1 {
        inOrder.append(abbreviation)
      } else {
        others[code] = abbreviation
      }
    }
  }

  private func read(_ reader: inout ByteReader, _ decoder: FormDecoder) throws(MalformedData) -> Abbreviation
  {
    let tag = try reader.uleb()
    let hasChildren = try reader.byte() != 0
    let first = attributes.count
    var size: Int? = 0
    while true {
      let name = try reader.uleb()
      let form = try reader.uleb()
      let implicitConstant: UInt64 = 0x21
      let implicit = form == implicitConstant ? try reader.sleb() : 0
      if name == 0 && form == 0 { break }
      guard attributes.count - first < Self.attributesPerEntryMax else {
        throw MalformedData(at: reader.offset)
      }
      attributes.append(Attribute(name: name, form: form, implicit: implicit))
      size = size.flatMap { sum in decoder.byteCount(of: form).map { sum + $0 } }
    }
    return Abbreviation(
      tag: tag, hasChildren: hasChildren, attributes: first..<attributes.count, byteCount: size)
  }

  /// Codes count up from one in every file that was ever seen; others are allowed.
  @inline(__always)
  func abbreviation(_ code: UInt64) -> Abbreviation? {
    code &- 1 < UInt64(inOrder.count) ? inOrder[Int(code) - 1] : others[code]
  }
}
