/// The stretches of code of an entry that has several.
struct RangeLists {
  let version: UInt16
  let sections: DebugSections
  let offsetByteCount: Int
  let addressBase: UInt64
  /// Where the unit's lists start in .debug_rnglists.
  let listsBase: UInt64
  /// What offsets in a list are relative to until the list says otherwise.
  let unitLow: UInt64

  /// The ranges of a list; it ends early where it stops making sense, or where no entry may be read any more.
  ///
  /// - Parameter limit: less by the entries that were read. Not by the ranges that were found: many units can share one
  ///   list that holds none.
  func ranges(_ place: AttributeValue, limit: inout Int) -> [Range<UInt64>] {
    version < 5 ? oldList(place, limit: &limit) : newList(place, limit: &limit)
  }

  private func oldList(_ place: AttributeValue, limit: inout Int) -> [Range<UInt64>] {
    guard let section = sections.ranges, let offset = place.offset.flatMap({ Int(exactly: $0) }) else {
      return []
    }
    var found: [Range<UInt64>] = []
    var base = unitLow
    var reader = ByteReader(section.all, in: offset..<max(offset, section.all.count))
    while limit > 0 {
      limit -= 1
      guard let low = try? reader.read(UInt64.self), let high = try? reader.read(UInt64.self),
        low | high != 0
      else { break }
      if low == .max { base = high } else { append(base &+ low, base &+ high, &found) }
    }
    return found
  }

  private func newList(_ place: AttributeValue, limit: inout Int) -> [Range<UInt64>] {
    guard let section = sections.rangeLists, let offset = newListOffset(place, section) else { return [] }
    var found: [Range<UInt64>] = []
    var base = unitLow
    var reader = ByteReader(section.all, in: offset..<max(offset, section.all.count))
    while limit > 0 {
      limit -= 1
      guard let isMore = try? readEntry(&reader, base: &base, &found), isMore else { break }
    }
    return found
  }

  private func newListOffset(_ place: AttributeValue, _ section: SectionContents) -> Int? {
    guard case .rangeListIndex(let index) = place else { return place.offset.flatMap { Int(exactly: $0) } }
    let slot = listsBase &+ index &* UInt64(offsetByteCount)
    return section.unsigned(at: slot, byteCount: offsetByteCount).flatMap { Int(exactly: listsBase &+ $0) }
  }

  /// Reads one entry of a DWARF 5 list; false at its end.
  private func readEntry(
    _ reader: inout ByteReader, base: inout UInt64, _ found: inout [Range<UInt64>]
  ) throws(MalformedData) -> Bool {
    switch try reader.byte() {
    case 1: base = try indexed(&reader)
    case 2: append(try indexed(&reader), try indexed(&reader), &found)
    case 3:
      let low = try indexed(&reader)
      append(low, low &+ (try reader.uleb()), &found)
    case 4: append(base &+ (try reader.uleb()), base &+ (try reader.uleb()), &found)
    case 5: base = try reader.read(UInt64.self)
    case 6: append(try reader.read(UInt64.self), try reader.read(UInt64.self), &found)
    case 7:
      let low = try reader.read(UInt64.self)
      append(low, low &+ (try reader.uleb()), &found)
    default: return false
    }
    return true
  }

  private func indexed(_ reader: inout ByteReader) throws(MalformedData) -> UInt64 {
    let index = try reader.uleb()
    guard let address = sections.address(index, base: addressBase) else {
      throw MalformedData(at: reader.offset)
    }
    return address
  }

  private func append(_ low: UInt64, _ high: UInt64, _ found: inout [Range<UInt64>]) {
    if low < high { found.append(low..<high) }
  }
}
