/// Takes bits off bytes, lowest first.
struct BitReader {
  private let bytes: [UInt8]
  private(set) var offset: Int
  private var buffer: UInt64 = 0
  private var available = 0

  init(_ bytes: [UInt8], from offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  /// The next `count` bits, at most 16.
  @inline(__always)
  mutating func bits(_ count: Int) throws(MalformedData) -> Int {
    fill()
    guard count <= available else { throw MalformedData(at: offset) }
    let value = Int(buffer & ((1 << UInt64(count)) - 1))
    drop(count)
    return value
  }

  /// The next bits without taking them, as many as there are; zeros behind the end.
  @inline(__always)
  mutating func peek() -> UInt64 {
    fill()
    return buffer
  }

  @inline(__always)
  mutating func take(_ count: Int) throws(MalformedData) {
    guard count <= available else { throw MalformedData(at: offset) }
    drop(count)
  }

  mutating func skipToByte() { drop(available & 7) }

  @inline(__always)
  private mutating func drop(_ count: Int) {
    buffer >>= UInt64(count)
    available &-= count
  }

  @inline(__always)
  private mutating func fill() {
    // No code and no number takes more than 16 bits.
    if available < 16 { refill() }
  }

  private mutating func refill() {
    if let word: UInt64 = bytes.integer(at: offset) {
      // As many whole bytes as there is room for. The rest of the word is read again and is the same.
      let count = (63 &- available) >> 3
      buffer |= word << UInt64(available)
      offset &+= count
      available &+= count &* 8
      return
    }
    while available <= 48, offset < bytes.count {
      buffer |= UInt64(bytes[offset]) << UInt64(available)
      offset &+= 1
      available &+= 8
    }
  }
}

/// A canonical Huffman code of at most 15 bits.
struct HuffmanCode {
  private static let lengthMax = 15
  private static let fastBits = 9

  /// By the next nine bits: a symbol and, in the low four bits, its length; 0: a longer code.
  private var fast = [UInt16](repeating: 0, count: 1 << fastBits)
  private var counts = [Int](repeating: 0, count: lengthMax + 1)
  private var symbols: [UInt16] = []

  static let fixedLengths = fixed(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  static let fixedDistances = fixed([UInt8](repeating: 5, count: 30))

  private static func fixed(_ lengths: [UInt8]) -> HuffmanCode {
    guard let code = try? HuffmanCode(lengths) else { preconditionFailure("a fixed code cannot be wrong") }
    return code
  }

  /// - Parameter lengths: the length of each symbol's code; 0: not used.
  init(_ lengths: [UInt8]) throws(MalformedData) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var room = 1
    for length in 1...Self.lengthMax {
      room = room * 2 - counts[length]
      // More codes than there is room for.
      guard room >= 0 else { throw MalformedData(at: 0) }
    }
    for length in 1...Self.lengthMax {
      for (symbol, its) in lengths.enumerated() where Int(its) == length { symbols.append(UInt16(symbol)) }
    }
    fillFast()
  }

  private mutating func fillFast() {
    var code = 0
    var position = 0
    for length in 1...Self.fastBits {
      for _ in 0..<counts[length] {
        var slot = Self.reversed(code, count: length)
        while slot < fast.count {
          fast[slot] = symbols[position] << 4 | UInt16(length)
          slot += 1 << length
        }
        code += 1
        position += 1
      }
      code <<= 1
    }
  }

  private static func reversed(_ code: Int, count: Int) -> Int {
    (0..<count).reduce(0) { $0 | (code >> $1 & 1) << (count - 1 - $1) }
  }

  @inline(__always)
  func symbol(_ input: inout BitReader) throws(MalformedData) -> Int {
    let bits = input.peek()
    let entry = fast[Int(bits & UInt64(fast.count - 1))]
    guard entry != 0 else { return try longSymbol(bits, &input) }
    try input.take(Int(entry & 15))
    return Int(entry >> 4)
  }

  /// Bit by bit: codes of a length follow each other, in the order of `symbols`.
  private func longSymbol(_ bits: UInt64, _ input: inout BitReader) throws(MalformedData) -> Int {
    var (code, first, position) = (0, 0, 0)
    for length in 1...Self.lengthMax {
      code |= Int(bits >> UInt64(length - 1) & 1)
      let count = counts[length]
      if code - first < count {
        try input.take(length)
        return Int(symbols[position + code - first])
      }
      position += count
      first = (first + count) << 1
      code <<= 1
    }
    throw MalformedData(at: input.offset)
  }
}
