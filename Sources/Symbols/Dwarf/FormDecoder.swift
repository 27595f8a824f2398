/// The value of one attribute.
enum AttributeValue {
  /// Nothing that is of use here.
  case none
  case number(UInt64)
  case address(UInt64)
  case text(TextPlace)
  /// Another entry, by its offset in .debug_info.
  case reference(UInt64)
  case sectionOffset(UInt64)
  case rangeListIndex(UInt64)

  var number: UInt64? { if case .number(let value) = self { value } else { nil } }
  var address: UInt64? { if case .address(let value) = self { value } else { nil } }
  var reference: UInt64? { if case .reference(let value) = self { value } else { nil } }
  var text: TextPlace? { if case .text(let place) = self { place } else { nil } }
  /// DWARF 2 and 3 write section offsets as plain numbers.
  var offset: UInt64? {
    switch self {
    case .sectionOffset(let value), .number(let value): value
    default: nil
    }
  }
}

/// Reads attribute values: DWARF 2 to 5, and GNU's forms for split-off supplements.
struct FormDecoder {
  /// 8 in 64-bit DWARF, else 4.
  let offsetByteCount: Int
  /// Where the unit starts in .debug_info.
  let unitOffset: UInt64
  let sections: DebugSections
  var textOffsetsBase: UInt64
  var addressBase: UInt64

  init(offsetByteCount: Int, unitOffset: UInt64, sections: DebugSections) {
    self.offsetByteCount = offsetByteCount
    self.unitOffset = unitOffset
    self.sections = sections
    // Behind the sections' own headers, which is where they are without an attribute that says so.
    textOffsetsBase = offsetByteCount == 8 ? 16 : 8
    addressBase = 8
  }

  /// How many bytes a form takes, or nil where that differs from value to value.
  func byteCount(of form: UInt64) -> Int? {
    switch form {
    case 0x19, 0x21: 0
    case 0x0b, 0x0c, 0x11, 0x25, 0x29: 1
    case 0x05, 0x12, 0x26, 0x2a: 2
    case 0x27, 0x2b: 3
    case 0x06, 0x13, 0x1c, 0x28, 0x2c: 4
    case 0x01, 0x07, 0x14, 0x20, 0x24: 8
    case 0x1e: 16
    case 0x0e, 0x10, 0x17, 0x1d, 0x1f, 0x1f20, 0x1f21: offsetByteCount
    default: nil
    }
  }

  func skip(_ form: UInt64, _ reader: inout ByteReader) throws(MalformedData) {
    if let count = byteCount(of: form) { return try reader.skip(UInt64(count)) }
    switch form {
    case 0x08: _ = try reader.skipTerminatedText()
    case 0x0a: try reader.skip(UInt64(try reader.byte()))
    case 0x03: try reader.skip(UInt64(try reader.read(UInt16.self)))
    case 0x04: try reader.skip(UInt64(try reader.read(UInt32.self)))
    case 0x09, 0x18: try reader.skip(try reader.uleb())
    case 0x0d, 0x0f, 0x15, 0x1a, 0x1b, 0x22, 0x23: _ = try reader.uleb()
    case 0x16:
      // A form that names its form: once, or a chain of them could nest without end.
      let inner = try reader.uleb()
      guard inner != 0x16 else { throw MalformedData(at: reader.offset) }
      try skip(inner, &reader)
    default: throw MalformedData(at: reader.offset)
    }
  }

  /// - Parameter implicit: the value that the abbreviation itself holds.
  func value(
    _ form: UInt64, implicit: Int64, _ reader: inout ByteReader
  ) throws(MalformedData) -> AttributeValue {
    switch form {
    case 0x01: return .address(try reader.read(UInt64.self))
    case 0x0b, 0x0c, 0x05, 0x06, 0x07: return .number(try reader.unsigned(bytes: byteCount(of: form) ?? 1))
    case 0x0d: return .number(UInt64(bitPattern: try reader.sleb()))
    case 0x0f: return .number(try reader.uleb())
    case 0x19: return .number(1)
    case 0x21: return .number(UInt64(bitPattern: implicit))
    case 0x08: return .text(.inline(try reader.skipTerminatedText()))
    case 0x0e: return .text(.texts(try reader.unsigned(bytes: offsetByteCount)))
    case 0x1f: return .text(.lineTexts(try reader.unsigned(bytes: offsetByteCount)))
    case 0x1a, 0x25...0x28: return text(try index(form, &reader))
    case 0x1b, 0x29...0x2c: return address(try index(form, &reader))
    case 0x11...0x15: return .reference(unitOffset &+ (try index(form, &reader)))
    case 0x10: return .reference(try reader.unsigned(bytes: offsetByteCount))
    case 0x17: return .sectionOffset(try reader.unsigned(bytes: offsetByteCount))
    case 0x23: return .rangeListIndex(try reader.uleb())
    default:
      try skip(form, &reader)
      return .none
    }
  }

  /// The number in an indexed or unit-relative form.
  private func index(_ form: UInt64, _ reader: inout ByteReader) throws(MalformedData) -> UInt64 {
    guard let count = byteCount(of: form) else { return try reader.uleb() }
    return try reader.unsigned(bytes: count)
  }

  private func text(_ index: UInt64) -> AttributeValue {
    let offset = sections.textOffset(index, base: textOffsetsBase, offsetByteCount: offsetByteCount)
    return offset.map { .text(.texts($0)) } ?? .none
  }

  private func address(_ index: UInt64) -> AttributeValue {
    sections.address(index, base: addressBase).map { .address($0) } ?? .none
  }
}
