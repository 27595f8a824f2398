/// Data that is not what its format promises: too short, or with a number that cannot be.
package struct MalformedData: Error, Equatable {
  /// Where, counted from the start of the bytes that were read.
  package let offset: Int

  package init(at offset: Int) { self.offset = offset }
}

extension Array where Element == UInt8 {
  /// The little-endian integer at `offset`, or nil if it does not lie wholly inside.
  @inline(__always)
  package func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type = Integer.self, at offset: Int
  ) -> Integer? {
    guard offset >= 0, offset <= count &- MemoryLayout<Integer>.size else { return nil }
    let value = unsafe withUnsafeBytes { bytes in
      // SAFETY: the bytes of one integer from `offset` on were checked to lie inside.
      unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Integer.self)
    }
    return Integer(littleEndian: value)
  }

  /// The text from `offset` to the next zero, or nil if there is none within `limit` bytes.
  package func terminatedText(at offset: Int, limit: Int = .max) -> String? {
    guard offset >= 0, offset < count, let end = self[offset...].prefix(limit).firstIndex(of: 0) else {
      return nil
    }
    return String(decoding: self[offset..<end], as: UTF8.self)
  }
}

/// A cursor over bytes that nobody vouches for. Every read is checked and moves forward or throws.
package struct ByteReader {
  package let bytes: [UInt8]
  package private(set) var offset: Int
  /// Reads stop here, at or before the end of the bytes.
  package let end: Int

  /// Reads `bytes[range]`; a range that does not fit is cut to what does.
  package init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
    self.bytes = bytes
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    offset = range.lowerBound
    end = range.upperBound
  }

  package var remaining: Int { end - offset }
  package var isAtEnd: Bool { offset >= end }

  @inline(__always)
  package mutating func read<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type
  ) throws(MalformedData) -> Integer {
    guard MemoryLayout<Integer>.size <= end &- offset, let value = bytes.integer(type, at: offset) else {
      throw MalformedData(at: offset)
    }
    offset &+= MemoryLayout<Integer>.size
    return value
  }

  @inline(__always)
  package mutating func byte() throws(MalformedData) -> UInt8 {
    guard offset < end else { throw MalformedData(at: offset) }
    defer { offset &+= 1 }
    return bytes[offset]
  }

  /// An unsigned integer of 1 to 8 bytes.
  package mutating func unsigned(bytes size: Int) throws(MalformedData) -> UInt64 {
    switch size {
    case 1: return UInt64(try read(UInt8.self))
    case 2: return UInt64(try read(UInt16.self))
    case 4: return UInt64(try read(UInt32.self))
    case 8: return try read(UInt64.self)
    default:
      guard (1...8).contains(size) else { throw MalformedData(at: offset) }
      var value: UInt64 = 0
      for shift in 0..<UInt64(size) { value |= UInt64(try byte()) << (8 * shift) }
      return value
    }
  }

  /// An unsigned LEB128 number; bits beyond 64 are dropped.
  @inline(__always)
  package mutating func uleb() throws(MalformedData) -> UInt64 {
    let first = try byte()
    if first < 0x80 { return UInt64(first) }
    return try longULEB(first)
  }

  private mutating func longULEB(_ first: UInt8) throws(MalformedData) -> UInt64 {
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while true {
      let next = try byte()
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return value }
      shift = min(shift &+ 7, 64)
    }
  }

  /// A signed LEB128 number; bits beyond 64 are dropped.
  package mutating func sleb() throws(MalformedData) -> Int64 {
    var value: Int64 = 0
    var shift: Int64 = 0
    while true {
      let next = try byte()
      value |= Int64(next & 0x7f) << shift
      shift = min(shift &+ 7, 64)
      if next < 0x80 { return shift < 64 && next & 0x40 != 0 ? value | (-1 << shift) : value }
    }
  }

  /// Where a text starts that ends with a zero; the cursor moves behind it.
  package mutating func skipTerminatedText() throws(MalformedData) -> Int {
    let start = offset
    while try byte() != 0 {}
    return start
  }

  @inline(__always)
  package mutating func skip(_ count: UInt64) throws(MalformedData) {
    guard count <= UInt64(end &- offset) else { throw MalformedData(at: offset) }
    offset &+= Int(count)
  }

  /// Moves to a place between the start of the bytes and the end of what may be read.
  package mutating func move(to place: Int) throws(MalformedData) {
    guard place >= 0, place <= end else { throw MalformedData(at: offset) }
    offset = place
  }

  /// A reader for the next `count` bytes, which this one skips.
  package mutating func part(_ count: UInt64) throws(MalformedData) -> ByteReader {
    let start = offset
    try skip(count)
    return ByteReader(bytes, in: start..<offset)
  }
}
