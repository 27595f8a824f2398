/// Unpacks zlib data (RFC 1950, RFC 1951): debug sections of distributions' packages come in it.
///
/// The checksum is not compared: what is unpacked is as hostile as what was packed.
package struct Inflate {
  private var input: BitReader
  /// As long as all that is promised; filled up to `filled`.
  private var output: [UInt8]
  private var filled = 0

  /// The `byteCount` bytes that `data` unpacks to, or nil if it does not.
  package static func unpack(_ data: [UInt8], byteCount: Int) -> [UInt8]? {
    // No data grows to more than this multiple: the promise is checked before the room is taken.
    let growthMax = 1032
    guard byteCount >= 0, byteCount / growthMax <= data.count, data.count >= 2, data[0] & 15 == 8 else {
      return nil
    }
    var inflate = Inflate(data, byteCount: byteCount)
    guard (try? inflate.run()) != nil, inflate.filled == byteCount else { return nil }
    return inflate.output
  }

  private init(_ data: [UInt8], byteCount: Int) {
    input = BitReader(data, from: 2)
    output = [UInt8](repeating: 0, count: byteCount)
  }

  private mutating func run() throws(MalformedData) {
    var isLast = false
    while !isLast {
      isLast = try input.bits(1) == 1
      switch try input.bits(2) {
      case 0: try copyStored()
      case 1: try decode(.fixedLengths, .fixedDistances)
      case 2:
        let (lengths, distances) = try readTables()
        try decode(lengths, distances)
      default: throw MalformedData(at: input.offset)
      }
    }
  }

  private mutating func copyStored() throws(MalformedData) {
    input.skipToByte()
    let count = try input.bits(16)
    guard try input.bits(16) == ~count & 0xffff, count <= output.count - filled else {
      throw MalformedData(at: input.offset)
    }
    for _ in 0..<count { append(UInt8(try input.bits(8))) }
  }

  private mutating func decode(_ lengths: HuffmanCode, _ distances: HuffmanCode) throws(MalformedData) {
    let endOfBlock = 256
    while true {
      let symbol = try lengths.symbol(&input)
      if symbol == endOfBlock { return }
      guard filled < output.count else { throw MalformedData(at: input.offset) }
      if symbol < endOfBlock {
        append(UInt8(symbol))
      } else {
        try repeatEarlier(symbol - 257, distances)
      }
    }
  }

  private static let lengthBase = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ]
  private static let lengthExtra = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBase = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145, 8193, 12289, 16385, 24577,
  ]

  /// Appends bytes that were unpacked before; they may overlap with what is appended.
  private mutating func repeatEarlier(_ lengthIndex: Int, _ distances: HuffmanCode) throws(MalformedData) {
    guard lengthIndex < Self.lengthBase.count else { throw MalformedData(at: input.offset) }
    let length = Self.lengthBase[lengthIndex] + (try input.bits(Self.lengthExtra[lengthIndex]))
    let distanceIndex = try distances.symbol(&input)
    guard distanceIndex < Self.distanceBase.count else { throw MalformedData(at: input.offset) }
    let extra = distanceIndex < 2 ? 0 : distanceIndex / 2 - 1
    let distance = Self.distanceBase[distanceIndex] + (try input.bits(extra))
    guard distance <= filled, length <= output.count - filled else {
      throw MalformedData(at: input.offset)
    }
    let places = filled..<filled + length
    var bytes = output.mutableSpan
    for place in places { bytes[place] = bytes[place &- distance] }
    filled += length
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    output[filled] = byte
    filled &+= 1
  }

  /// The codes of a block that brings its own.
  private mutating func readTables() throws(MalformedData) -> (HuffmanCode, HuffmanCode) {
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    let lengthCount = try input.bits(5) + 257
    let distanceCount = try input.bits(5) + 1
    let orderCount = try input.bits(4) + 4
    var orderLengths = [UInt8](repeating: 0, count: 19)
    for index in order[..<orderCount] { orderLengths[index] = UInt8(try input.bits(3)) }
    let code = try HuffmanCode(orderLengths)
    var lengths: [UInt8] = []
    while lengths.count < lengthCount + distanceCount {
      switch try code.symbol(&input) {
      case let length where length < 16: lengths.append(UInt8(length))
      case 16:
        guard let last = lengths.last else { throw MalformedData(at: input.offset) }
        lengths += [UInt8](repeating: last, count: 3 + (try input.bits(2)))
      case 17: lengths += [UInt8](repeating: 0, count: 3 + (try input.bits(3)))
      default: lengths += [UInt8](repeating: 0, count: 11 + (try input.bits(7)))
      }
    }
    guard lengths.count == lengthCount + distanceCount else { throw MalformedData(at: input.offset) }
    return (try HuffmanCode(Array(lengths[..<lengthCount])), try HuffmanCode(Array(lengths[lengthCount...])))
  }
}
