import Pictures
import Testing

@Suite struct `PNG pictures` {
  private func pixels(
    _ width: Int, _ height: Int, bits: UInt8 = 8, _ color: PlainPNG.ColorType, palette: [UInt8] = [],
    _ rows: [[UInt8]]
  ) throws -> [UInt8] {
    let file = PlainPNG(
      width: width, height: height, bits: bits, color: color, palette: palette, rows: rows)
    let picture = try Picture(decoding: file.bytes)
    #expect(picture.size == PictureSize(width: width, height: height))
    return picture.pixels
  }

  @Test func `colours are taken as they are`() throws {
    #expect(try pixels(2, 1, .rgb, [[1, 2, 3, 250, 251, 252]]) == [1, 2, 3, 250, 251, 252])
  }

  @Test func `gray becomes three equal colours`() throws {
    #expect(
      try pixels(2, 2, .gray, [[0, 100], [200, 255]]) == [
        0, 0, 0, 100, 100, 100, 200, 200, 200, 255, 255, 255,
      ])
  }

  @Test func `one bit a pixel is black and white`() throws {
    #expect(try pixels(3, 1, bits: 1, .gray, [[0b1010_0000]]) == [255, 255, 255, 0, 0, 0, 255, 255, 255])
  }

  @Test func `a palette is looked up`() throws {
    let palette: [UInt8] = [9, 8, 7, 60, 50, 40]
    #expect(try pixels(2, 1, .palette, palette: palette, [[1, 0]]) == [60, 50, 40, 9, 8, 7])
    #expect(try pixels(2, 1, bits: 4, .palette, palette: palette, [[0x10]]) == [60, 50, 40, 9, 8, 7])
  }

  @Test func `sixteen bits keep their upper eight and their brightness`() throws {
    let found = try pixels(
      1, 2, bits: 16, .rgb, [[0x40, 0x40, 0x80, 0x80, 0xFF, 0xFF], [0, 0, 0, 0, 0, 0]])
    #expect(zip(found, [0x40, 0x80, 0xFF, 0, 0, 0]).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(found)")
  }

  @Test func `what is transparent lies on white`() throws {
    let found = try pixels(3, 1, .rgba, [[255, 0, 0, 255, 255, 0, 0, 0, 255, 0, 0, 128]])
    #expect(found[0..<6] == [255, 0, 0, 255, 255, 255])
    // Half of white's light: 188 of 255 as sRGB codes it.
    #expect(found[6] == 255)
    #expect(abs(Int(found[7]) - 188) <= 3)
    #expect(found[7] == found[8])
    #expect(try pixels(2, 1, .grayAlpha, [[7, 255, 7, 0]]) == [7, 7, 7, 255, 255, 255])
  }

  @Test func `the header tells the size`() throws {
    let file = PlainPNG(width: 3, height: 1, bits: 8, color: .gray, rows: [[1, 2, 3]])
    #expect(try PictureSize(headerOf: file.bytes) == PictureSize(width: 3, height: 1))
  }

  @Test func `a header that claims too much is refused before any memory is taken`() {
    for (width, height) in [(100_000, 100_000), (999_999, 999_999), (0x7FFF_FFFF, 1), (0, 1)] {
      let file = PlainPNG(width: width, height: height, bits: 8, color: .gray, rows: [[0]])
      #expect(throws: PictureError.self) { try Picture(decoding: file.bytes) }
    }
  }
}
