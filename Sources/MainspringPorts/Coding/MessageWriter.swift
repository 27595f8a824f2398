/// Writes values as CBOR, each in its one form: lengths and integers as short as they can be, floating-point numbers in
/// their own width, maps in the order of their keys' bytes.
struct MessageWriter {
  private(set) var bytes: [UInt8]

  init(behind bytes: [UInt8]) { self.bytes = bytes }

  /// - Parameter depth: how many arrays and maps lie around the value.
  /// - Throws: `EncodingError` if it lies deeper than whoever reads will go.
  mutating func write(_ value: EncodedValue, depth: Int = 0) throws(EncodingError) {
    switch value {
    case .unsigned(let number): write(.unsigned, number)
    case .negative(let number): write(.negative, number)
    case .bytes(let content):
      write(.bytes, UInt64(content.count))
      bytes += content
    case .text(let text): write(text)
    case .bool(let truth): writeSimple(truth ? SimpleItem.yes : SimpleItem.no)
    case .null: writeSimple(SimpleItem.null)
    case .float(let bits):
      writeSimple(SimpleItem.float)
      writeBigEndian(bits)
    case .double(let bits):
      writeSimple(SimpleItem.double)
      writeBigEndian(bits)
    case .node(let node): try write(node, depth: depth)
    case .encoder(let encoder): try write(encoder.result ?? .null, depth: depth)
    }
  }

  private mutating func write(_ node: EncodedNode, depth: Int) throws(EncodingError) {
    guard depth < MessageLimit.depth else {
      throw .invalidValue(
        node, .init(codingPath: [], debugDescription: "lies deeper than \(MessageLimit.depth) levels"))
    }
    guard node.isMap else {
      write(.array, UInt64(node.values.count))
      for value in node.values { try write(value, depth: depth + 1) }
      return
    }
    let order = Self.order(of: node.keys)
    write(.map, UInt64(order.count))
    for place in order {
      write(node.keys[place])
      try write(node.values[place], depth: depth + 1)
    }
  }

  /// Where the keys stand, sorted; of equal ones the last.
  private static func order(of keys: [String]) -> [Int] {
    // A few keys that stand in their order already, as one's own may.
    if zip(keys, keys.dropFirst()).allSatisfy({ precedes($0, $1) }) { return Array(keys.indices) }
    let order = keys.indices.sorted { one, other in
      if precedes(keys[one], keys[other]) { return true }
      return one < other && !precedes(keys[other], keys[one])
    }
    return order.indices.filter { place in
      place + 1 == order.count || precedes(keys[order[place]], keys[order[place + 1]])
    }.map { order[$0] }
  }

  /// By the bytes of the items: the length comes first.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    let (first, second) = (one.utf8, other.utf8)
    return first.count == second.count ? first.lexicographicallyPrecedes(second) : first.count < second.count
  }

  private mutating func write(_ text: String) {
    write(.text, UInt64(text.utf8.count))
    bytes += text.utf8
  }

  private mutating func writeSimple(_ detail: UInt8) { bytes.append(ItemKind.simple.rawValue << 5 | detail) }

  private mutating func write(_ kind: ItemKind, _ argument: UInt64) {
    let first = kind.rawValue << 5
    switch argument {
    case 0..<24: bytes.append(first | UInt8(argument))
    case 24...0xff:
      bytes.append(first | 24)
      bytes.append(UInt8(argument))
    case 0x100...0xffff:
      bytes.append(first | 25)
      writeBigEndian(UInt16(argument))
    case 0x1_0000...0xffff_ffff:
      bytes.append(first | 26)
      writeBigEndian(UInt32(argument))
    default:
      bytes.append(first | 27)
      writeBigEndian(argument)
    }
  }

  private mutating func writeBigEndian(_ number: some FixedWidthInteger) {
    var shift = number.bitWidth
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
