/// One FDE of .eh_frame with its CIE: the rules of one function.
struct FrameDescription {
  private let common: CommonInformation
  private let code: Range<UInt64>
  private let program: ByteReader
  private let low: UInt64

  init(_ tables: UnwindTables, at offset: Int) throws(MalformedData) {
    low = tables.low
    var reader = try Self.record(tables.bytes, at: offset)
    let pointerPlace = reader.offset
    let distance = Int(try reader.read(UInt32.self))
    // Zero marks a CIE, which an index never points to.
    guard distance != 0 else { throw MalformedData(at: pointerPlace) }
    common = try CommonInformation(tables.bytes, at: pointerPlace - distance, low: low)
    let start = try common.encoding.read(&reader, low: low, dataBase: 0)
    let length = try common.encoding.plain.read(&reader, low: low, dataBase: 0)
    let (end, overflow) = start.addingReportingOverflow(length)
    guard !overflow else { throw MalformedData(at: reader.offset) }
    code = start..<end
    if common.hasAugmentationData { try reader.skip(try reader.uleb()) }
    program = reader
  }

  /// What holds at an address; nil if the function ends before it.
  func rules(at address: UInt64) throws(MalformedData) -> CallFrameRules? {
    guard code.contains(address) else { return nil }
    var rules = CallFrameRules()
    var start = common.program
    // The whole of the common part applies wherever the function begins.
    try common.interpreter(low: low, target: .max).run(
      &start, from: code.lowerBound, initial: nil, rules: &rules)
    let initial = rules
    var rest = program
    try common.interpreter(low: low, target: address).run(
      &rest, from: code.lowerBound, initial: initial, rules: &rules)
    rules.isSignalFrame = common.isSignalFrame
    rules.functionStart = code.lowerBound
    return rules
  }

  /// The contents of the record at `offset`, without its length. 64-bit records do not occur in .eh_frame.
  static func record(_ bytes: [UInt8], at offset: Int) throws(MalformedData) -> ByteReader {
    var reader = ByteReader(bytes)
    try reader.move(to: offset)
    let length = try reader.read(UInt32.self)
    guard length != 0, length != .max else { throw MalformedData(at: offset) }
    return try reader.part(UInt64(length))
  }
}

/// One CIE of .eh_frame: what several functions share.
private struct CommonInformation {
  var encoding = PointerEncoding(0)
  var isSignalFrame = false
  var hasAugmentationData = false
  let program: ByteReader
  private let codeAlignment: UInt64
  private let dataAlignment: Int64

  init(_ bytes: [UInt8], at offset: Int, low: UInt64) throws(MalformedData) {
    var reader = try FrameDescription.record(bytes, at: offset)
    guard try reader.read(UInt32.self) == 0 else { throw MalformedData(at: offset) }
    let version = try reader.byte()
    let textStart = try reader.skipTerminatedText()
    let augmentation = bytes[textStart..<reader.offset - 1]
    codeAlignment = try reader.uleb()
    dataAlignment = try reader.sleb()
    let returnAddress = version == 1 ? UInt64(try reader.byte()) : try reader.uleb()
    guard returnAddress == Register.programCounter else { throw MalformedData(at: reader.offset) }
    if augmentation.first == UInt8(ascii: "z") {
      hasAugmentationData = true
      var data = try reader.part(try reader.uleb())
      program = reader
      try readAugmentation(augmentation.dropFirst(), &data, low: low)
    } else {
      // The only other augmentation that ever was ("eh") puts a pointer where this expects numbers.
      guard augmentation.isEmpty else { throw MalformedData(at: reader.offset) }
      program = reader
    }
  }

  private mutating func readAugmentation(
    _ letters: ArraySlice<UInt8>, _ data: inout ByteReader, low: UInt64
  ) throws(MalformedData) {
    for letter in letters {
      switch letter {
      case UInt8(ascii: "R"): encoding = PointerEncoding(try data.byte())
      case UInt8(ascii: "L"): _ = try data.byte()
      case UInt8(ascii: "S"): isSignalFrame = true
      case UInt8(ascii: "P"):
        let personality = PointerEncoding(try data.byte() & 0x7f)
        _ = try personality.read(&data, low: low, dataBase: 0)
      default: break
      }
    }
  }

  func interpreter(low: UInt64, target: UInt64) -> CallFrameProgram {
    CallFrameProgram(
      codeAlignment: codeAlignment, dataAlignment: dataAlignment, encoding: encoding, low: low, target: target
    )
  }
}
