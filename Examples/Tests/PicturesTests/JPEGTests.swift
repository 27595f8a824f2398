import Pictures
import Testing

@Suite struct `JPEG pictures` {
  /// A picture of soft colours, which JPEG keeps nearly as they are.
  private func gradient(_ width: Int, _ height: Int) -> Picture {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { pixels += [UInt8(x * 255 / width), UInt8(y * 255 / height), 128] }
    }
    return Picture(size: PictureSize(width: width, height: height), pixels: pixels)
  }

  private func difference(_ one: Picture, _ other: Picture) -> Double {
    let sum = zip(one.pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(one.pixels.count)
  }

  @Test func `what is written is read again, nearly the same`() throws {
    let picture = gradient(123, 77)
    let again = try Picture(decoding: picture.jpeg(quality: 95))
    #expect(again.size == picture.size)
    #expect(difference(again, picture) < 2)
  }

  @Test func `a larger picture outgrows the codec's first buffer`() throws {
    var random = SeededGenerator(seed: 7)
    let size = PictureSize(width: 300, height: 300)
    let noise = Picture(
      size: size, pixels: (0..<size.byteCount).map { _ in .random(in: 0...255, using: &random) })
    let bytes = try noise.jpeg(quality: 100)
    #expect(bytes.count > 100_000)
    #expect(try Picture(decoding: bytes).size == size)
  }

  @Test(arguments: [(100, 100), (101, 200), (200, 200), (201, 400), (400, 400), (401, 800), (900, 800)])
  func `at least so many pixels are decoded, and no more than needed`(side: Int, decoded: Int) throws {
    let whole = gradient(800, 400)
    let reduced = try Picture(decoding: whole.jpeg(quality: 95), detail: .atLeast(side))
    #expect(reduced.size == PictureSize(width: decoded, height: decoded / 2))
    #expect(difference(reduced.scaled(toFit: 50), whole.scaled(toFit: 50)) < 2)
  }

  @Test func `the header tells the size`() throws {
    #expect(try PictureSize(headerOf: gradient(40, 30).jpeg()) == PictureSize(width: 40, height: 30))
  }

  @Test func `a side longer than JPEG allows is refused`() {
    let picture = Picture(
      size: PictureSize(width: 70_000, height: 1), pixels: .init(repeating: 0, count: 210_000))
    #expect(throws: PictureError.self) { try picture.jpeg() }
  }
}
