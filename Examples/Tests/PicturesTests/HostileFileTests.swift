import Pictures
import Testing

@Suite struct `Hostile files` {
  /// One small file of each format.
  static func files() throws -> [[UInt8]] {
    var random = SeededGenerator(seed: 3)
    let size = PictureSize(width: 24, height: 17)
    let pixels = (0..<size.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    let rows = (0..<17).map { row in Array(pixels[72 * row..<72 * (row + 1)]) }
    return [
      try Picture(size: size, pixels: pixels).jpeg(),
      PlainPNG(width: 24, height: 17, bits: 8, color: .rgb, rows: rows).bytes,
    ]
  }

  @Test(arguments: [0, 1])
  func `a truncated file is an error, or lacks nothing that matters`(format: Int) throws {
    let file = try Self.files()[format]
    let whole = try Picture(decoding: file)
    var accepted = 0
    for count in 0..<file.count {
      guard let picture = try? Picture(decoding: Array(file[..<count])) else { continue }
      #expect(picture == whole, "cut after \(count) bytes")
      accepted += 1
    }
    // The end of a PNG file has no pixels in it: check sums and the last chunk.
    #expect(accepted <= 24)
  }

  @Test(arguments: [0, 1], 1...20)
  func `damaged files never crash`(format: Int, seed: UInt64) throws {
    let file = try Self.files()[format]
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      var damaged = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[.random(in: 3..<file.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      for detail in [Picture.Detail.full, .atLeast(4)] {
        if let picture = try? Picture(decoding: damaged, detail: detail) {
          #expect(picture.pixels.count == picture.size.byteCount)
        }
      }
    }
  }

  @Test func `what is no picture is named so`() {
    for bytes: [UInt8] in [[], [0], Array("GIF89a".utf8), [0xFF, 0xD8]] {
      #expect(throws: PictureError.unknownFormat) { try Picture(decoding: bytes) }
      #expect(throws: PictureError.unknownFormat) { try PictureSize(headerOf: bytes) }
    }
  }

  @Test func `an error says what is wrong`() throws {
    let file = try Self.files()[0]
    #expect(throws: PictureError.refused("Premature end of JPEG file")) {
      try Picture(decoding: Array(file[..<(file.count / 2)]))
    }
  }
}
