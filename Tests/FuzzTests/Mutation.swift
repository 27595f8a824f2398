import MainspringTesting
/// The changes that break most readers: bytes and numbers at their limits, and pieces that are missing, doubled or moved.
enum Mutation: CaseIterable {
  case byte, number, removal, repetition, copy, end

  private static let numbers: [UInt64] = [
    0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 0xffff_ffff_ffff_ffff, 1 << 63, 1 << 40,
  ]

  func apply(to bytes: inout [UInt8], using random: inout SeededRandom) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: random.next())) }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let count = min(Int.random(in: 1...16, using: &random), bytes.count - place)
    switch self {
    case .byte: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case .number:
      let value = Self.numbers.randomElement(using: &random) ?? 0
      for index in 0..<min(8, count) {
        bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
      }
    case .removal: bytes.removeSubrange(place..<place + count)
    case .repetition: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
    case .copy:
      let from = Int.random(in: 0...bytes.count - count, using: &random)
      bytes.replaceSubrange(place..<place + count, with: Array(bytes[from..<from + count]))
    case .end: bytes.removeSubrange(place...)
    }
  }
}
