/// A PNG file written by the book, without compression: the tests must not rest on the codec they test.
struct PlainPNG {
  enum ColorType: UInt8 {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6
  }

  var width: Int
  var height: Int
  var bits: UInt8
  var color: ColorType
  var palette: [UInt8] = []
  /// The rows as they stand in the file, without the filter's byte.
  var rows: [[UInt8]]
  /// Whether it comes in seven passes, each finer than the last: with three bytes a pixel alone.
  var isInterlaced = false

  /// Where each pass begins, and its steps.
  private static let passes: [(x: Int, y: Int, right: Int, down: Int)] = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
  ]

  /// The rows in the order of the file, each behind its filter's byte.
  private var filteredRows: [UInt8] {
    guard isInterlaced else { return rows.flatMap { [0] + $0 } }
    var filtered: [UInt8] = []
    for pass in Self.passes where pass.x < width {
      for row in stride(from: pass.y, to: height, by: pass.down) {
        filtered.append(0)
        for column in stride(from: pass.x, to: width, by: pass.right) {
          filtered += rows[row][3 * column..<3 * column + 3]
        }
      }
    }
    return filtered
  }

  var bytes: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header =
      Self.bigEndian(width) + Self.bigEndian(height) + [bits, color.rawValue, 0, 0, isInterlaced ? 1 : 0]
    file += Self.chunk("IHDR", header)
    if !palette.isEmpty { file += Self.chunk("PLTE", palette) }
    file += Self.chunk("IDAT", Self.stored(filteredRows))
    return file + Self.chunk("IEND", [])
  }

  /// One chunk: length, name, data, check sum.
  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(crc32(body)))
  }

  /// A zlib stream of one block that is stored as it is: at most 65 535 bytes.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    let count = UInt16(data.count)
    let lengths = [count & 0xFF, count >> 8, ~count & 0xFF, ~count >> 8].map { UInt8($0) }
    return [0x78, 0x01, 0x01] + lengths + data + bigEndian(Int(adler32(data)))
  }

  private static func adler32(_ data: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  private static func crc32(_ data: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in data {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
