/// The functions of a unit by address, and the calls that were inlined into them.
struct FunctionIndex {
  struct Function {
    let code: Range<UInt64>
    /// Its entry, counted from the unit's start.
    let entry: Int
    /// Positions in `inlined`.
    var inlined: Range<Int>
  }

  struct InlinedCall {
    let code: Range<UInt64>
    let entry: Int
    /// Where it was called, in the function around it.
    let file: UInt64
    let line: UInt64
    let column: UInt64
    /// How deep its entry lies.
    let depth: Int
  }

  private static let functionTag: UInt64 = 0x2e
  private static let inlinedCallTag: UInt64 = 0x1d
  private static let rangesPerEntryMax = 256
  /// Ranges of all entries together: many entries of a hostile file can name one long list.
  private static let rangesPerUnitMax = 1 << 21
  private static let openFunctionsMax = 64

  private var rangesLeft = rangesPerUnitMax
  private(set) var functions: [Function] = []
  private(set) var inlined: [InlinedCall] = []
  /// Functions whose children are being read: functions nest (closures, local functions).
  private var open: [(depth: Int, positions: Range<Int>)] = []

  /// Walks over all entries of the unit once; the part of it that makes sense.
  init(_ unit: CompilationUnit) {
    var reader = ByteReader(unit.bytes)
    try? reader.move(to: unit.header.firstEntry)
    try? walk(unit, &reader)
    closeFunctions(downTo: 0)
    functions.sort { $0.code.lowerBound < $1.code.lowerBound }
  }

  private mutating func walk(_ unit: CompilationUnit, _ reader: inout ByteReader) throws(MalformedData) {
    let table = unit.abbreviations
    let decoder = unit.decoder
    var depth = 0
    repeat {
      let entryOffset = reader.offset
      let code = try reader.uleb()
      if code == 0 {
        depth -= 1
        closeFunctions(downTo: depth)
        continue
      }
      guard let abbreviation = table.abbreviation(code) else { throw MalformedData(at: entryOffset) }
      if abbreviation.tag == Self.functionTag || abbreviation.tag == Self.inlinedCallTag {
        let entry = try DebugEntry(abbreviation, of: table, decoder, &reader)
        add(entry, abbreviation, at: entryOffset, depth: depth, unit)
      } else if let size = abbreviation.byteCount {
        try reader.skip(UInt64(size))
      } else {
        for position in abbreviation.attributes { try decoder.skip(table.attributes[position].form, &reader) }
      }
      if abbreviation.hasChildren { depth += 1 }
    } while depth > 0 && !reader.isAtEnd
  }

  private mutating func closeFunctions(downTo depth: Int) {
    while let last = open.last, depth <= last.depth {
      for position in last.positions {
        functions[position].inlined = functions[position].inlined.lowerBound..<inlined.count
      }
      open.removeLast()
    }
  }

  private mutating func add(
    _ entry: DebugEntry, _ abbreviation: Abbreviation, at offset: Int, depth: Int, _ unit: CompilationUnit
  ) {
    guard functions.count + inlined.count < Self.rangesPerUnitMax, rangesLeft > 0 else { return }
    let isFunction = abbreviation.tag == Self.functionTag
    guard isFunction || !open.isEmpty else { return }
    let limit = min(Self.rangesPerEntryMax, rangesLeft)
    var left = limit
    let ranges = unit.ranges(of: entry, limit: &left)
    rangesLeft -= limit - left
    if isFunction {
      // What the linker dropped starts at zero.
      guard let first = ranges.first, first.lowerBound != 0 else { return }
      let position = functions.count
      for range in ranges {
        functions.append(Function(code: range, entry: offset, inlined: inlined.count..<inlined.count))
      }
      if abbreviation.hasChildren, open.count < Self.openFunctionsMax {
        open.append((depth, position..<functions.count))
      }
    } else {
      for range in ranges {
        inlined.append(
          InlinedCall(
            code: range, entry: offset, file: entry.callFile, line: entry.callLine, column: entry.callColumn,
            depth: depth))
      }
    }
  }

  /// The innermost function at an address.
  func function(at address: UInt64) -> Function? {
    let candidateCount = 4
    let next = functions.partitioningIndex { $0.code.lowerBound > address }
    for position in stride(from: next - 1, to: max(-1, next - 1 - candidateCount), by: -1) {
      if functions[position].code.contains(address) { return functions[position] }
    }
    return nil
  }

  /// The inlined calls that an address of the function lies in, innermost first.
  func inlinedCalls(at address: UInt64, in function: Function) -> [InlinedCall] {
    let depthMax = 64
    let hits = inlined[function.inlined].filter { $0.code.contains(address) }
    return Array(hits.sorted { $0.depth > $1.depth }.prefix(depthMax))
  }
}

extension Array {
  /// The first position where `isAfter` holds, in an array that is ordered by it.
  func partitioningIndex(_ isAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
