/// What is asked of an entry: a unit, a function or an inlined call.
struct DebugEntry {
  var low = AttributeValue.none
  var high = AttributeValue.none
  var ranges = AttributeValue.none
  var name: TextPlace?
  var linkageName: TextPlace?
  /// The entry that this one is an instance of, or completes.
  var origin: UInt64?
  var specification: UInt64?
  var callFile: UInt64 = 0
  var callLine: UInt64 = 0
  var callColumn: UInt64 = 0
  var lineTable: UInt64?
  var compilationDirectory: TextPlace?
  var textOffsetsBase: UInt64?
  var addressBase: UInt64?
  var rangeListsBase: UInt64?

  /// Reads the attributes of an entry whose code was read already.
  init(
    _ abbreviation: Abbreviation, of table: Abbreviations, _ decoder: FormDecoder, _ reader: inout ByteReader
  ) throws(MalformedData) {
    for position in abbreviation.attributes {
      let attribute = table.attributes[position]
      if Self.isWanted(attribute.name) {
        let value = try decoder.value(attribute.form, implicit: attribute.implicit, &reader)
        set(attribute.name, value)
      } else {
        try decoder.skip(attribute.form, &reader)
      }
    }
  }

  private static func isWanted(_ name: UInt64) -> Bool {
    switch name {
    case 0x03, 0x10, 0x11, 0x12, 0x1b, 0x31, 0x47, 0x55, 0x57, 0x58, 0x59, 0x6e, 0x72, 0x73, 0x74, 0x2007:
      true
    default: false
    }
  }

  private mutating func set(_ name: UInt64, _ value: AttributeValue) {
    switch name {
    case 0x03: self.name = value.text
    case 0x10: lineTable = value.offset
    case 0x11: low = value
    case 0x12: high = value
    case 0x1b: compilationDirectory = value.text
    case 0x31: origin = value.reference
    case 0x47: specification = value.reference
    case 0x55: ranges = value
    case 0x57: callColumn = value.number ?? 0
    case 0x58: callFile = value.number ?? 0
    case 0x59: callLine = value.number ?? 0
    case 0x6e, 0x2007: linkageName = value.text
    case 0x72: textOffsetsBase = value.offset
    case 0x73: addressBase = value.offset
    case 0x74: rangeListsBase = value.offset
    default: break
    }
  }

  /// The addresses from low to high, where the entry has but one stretch of code.
  var contiguousRange: Range<UInt64>? {
    guard let start = low.address else { return nil }
    switch high {
    case .address(let end): return start < end ? start..<end : nil
    case .number(let count):
      let (end, overflow) = start.addingReportingOverflow(count)
      return !overflow && start < end ? start..<end : nil
    default: return nil
    }
  }
}
