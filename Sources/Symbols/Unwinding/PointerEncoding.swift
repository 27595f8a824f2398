/// How a pointer is written in .eh_frame and .eh_frame_hdr.
struct PointerEncoding {
  static let omitted: UInt8 = 0xff
  let code: UInt8

  init(_ code: UInt8) { self.code = code }

  /// The same size and sign, relative to nothing: for lengths.
  var plain: PointerEncoding { PointerEncoding(code & 0x0f) }

  /// Reads one pointer.
  /// - Parameters:
  ///   - low: the run-time address of the reader's first byte.
  ///   - dataBase: what data-relative pointers are relative to.
  func read(_ reader: inout ByteReader, low: UInt64, dataBase: UInt64) throws(MalformedData) -> UInt64 {
    guard code != Self.omitted else { throw MalformedData(at: reader.offset) }
    let here = low &+ UInt64(reader.offset)
    let value: UInt64
    switch code & 0x0f {
    case 0x00, 0x04, 0x0c: value = try reader.read(UInt64.self)
    case 0x01: value = try reader.uleb()
    case 0x02: value = UInt64(try reader.read(UInt16.self))
    case 0x03: value = UInt64(try reader.read(UInt32.self))
    case 0x09: value = UInt64(bitPattern: try reader.sleb())
    case 0x0a: value = UInt64(truncatingIfNeeded: try reader.read(Int16.self))
    case 0x0b: value = UInt64(truncatingIfNeeded: try reader.read(Int32.self))
    default: throw MalformedData(at: reader.offset)
    }
    switch code & 0x70 {
    case 0x00: return value
    case 0x10: return value &+ here
    case 0x30: return value &+ dataBase
    default: throw MalformedData(at: reader.offset)
    }
  }
}
