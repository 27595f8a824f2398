/// A message taken apart: one pass over the bytes, before which nothing is believed.
///
/// The list of items is what it allocates: at most 32 bytes for each byte that came, since each item takes one.
final class ParsedMessage {
  let bytes: [UInt8]
  private(set) var items: [MessageItem] = []
  private var place = 0

  /// - Throws: `DecodingError.dataCorrupted`, with what is wrong and at which byte.
  init(_ bytes: [UInt8]) throws(DecodingError) {
    self.bytes = bytes
    try readItem(depth: 0)
    guard place == bytes.count else {
      throw corrupt("\(bytes.count - place) bytes are left behind the message")
    }
  }

  private func readItem(depth: Int) throws(DecodingError) {
    guard place < bytes.count else { throw corrupt("the message ends where an item should be") }
    let first = bytes[place]
    place += 1
    guard let kind = ItemKind(rawValue: first >> 5) else { throw corrupt("no kind") }
    let detail = first & 0x1f
    let argument = try readArgument(detail)
    let index = items.count
    items.append(MessageItem(kind: kind, detail: detail, argument: argument, start: place, next: index + 1))
    switch kind {
    case .unsigned, .negative: return
    case .bytes, .text:
      guard argument <= UInt64(bytes.count - place) else {
        throw corrupt("\(argument) bytes are promised, \(bytes.count - place) are there")
      }
      place += Int(argument)
    case .array, .map:
      try readContent(
        kind == .map ? argument.multipliedReportingOverflow(by: 2) : (argument, false), depth: depth)
      items[index].next = items.count
    case .simple: try check(detail)
    case .tag: throw corrupt("tags are not spoken")
    }
  }

  private func readContent(_ promised: (count: UInt64, overflow: Bool), depth: Int) throws(DecodingError) {
    guard depth < MessageLimit.depth else { throw corrupt("lies deeper than \(MessageLimit.depth) levels") }
    guard !promised.overflow, promised.count <= UInt64(bytes.count - place) else {
      throw corrupt("more items are promised than there are bytes")
    }
    for _ in 0..<promised.count { try readItem(depth: depth + 1) }
  }

  private func check(_ detail: UInt8) throws(DecodingError) {
    guard
      (SimpleItem.no...SimpleItem.undefined).contains(detail)
        || (SimpleItem.half...SimpleItem.double).contains(detail)
    else { throw corrupt("a simple value \(detail) is not spoken") }
  }

  private func readArgument(_ detail: UInt8) throws(DecodingError) -> UInt64 {
    guard detail >= 24 else { return UInt64(detail) }
    guard detail < 28 else { throw corrupt("lengths must be told beforehand") }
    let count = 1 << Int(detail - 24)
    guard count <= bytes.count - place else { throw corrupt("the message ends within a number") }
    var number: UInt64 = 0
    for byte in bytes[place..<place + count] { number = number << 8 | UInt64(byte) }
    place += count
    return number
  }

  private func corrupt(_ what: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "\(what), at byte \(place)"))
  }
}
