import Pictures
import Testing

@Suite struct Scaling {
  private func gray(_ width: Int, _ height: Int, _ values: [UInt8]) -> Picture {
    Picture(size: PictureSize(width: width, height: height), pixels: values.flatMap { [$0, $0, $0] })
  }

  @Test func `a new pixel is the mean of the area it covers`() {
    #expect(gray(2, 2, [0, 10, 20, 31]).scaled(toFit: 1) == gray(1, 1, [15]))
    #expect(gray(2, 1, [0, 255]).scaled(toFit: 1) == gray(1, 1, [128]), "127.5 is rounded up")
  }

  @Test func `a pixel across an edge counts in proportion on both sides`() {
    #expect(gray(3, 1, [0, 90, 255]).scaled(toFit: 2) == gray(2, 1, [30, 200]))
    #expect(gray(1, 3, [0, 90, 255]).scaled(toFit: 2) == gray(1, 2, [30, 200]))
  }

  @Test func `colours are kept apart`() {
    let picture = Picture(size: PictureSize(width: 2, height: 1), pixels: [10, 20, 30, 30, 60, 90])
    #expect(picture.scaled(toFit: 1).pixels == [20, 40, 60])
  }

  @Test(arguments: [(640, 480, 256), (1001, 7, 13), (7, 1001, 999), (1, 3000, 2), (97, 89, 88)])
  func `a picture of one colour keeps it`(width: Int, height: Int, side: Int) {
    let values = [UInt8](repeating: 201, count: width * height)
    let scaled = gray(width, height, values).scaled(toFit: side)
    #expect(scaled.pixels.allSatisfy { $0 == 201 })
    #expect(scaled.size.longerSide == side)
  }

  @Test func `a picture that fits is left alone`() {
    let picture = gray(3, 2, [1, 2, 3, 4, 5, 6])
    #expect(picture.scaled(toFit: 3) == picture)
    #expect(picture.scaled(toFit: 100) == picture)
  }

  @Test(arguments: [
    (5640, 3172, 256, 256, 144), (3172, 5640, 256, 144, 256), (100, 100, 7, 7, 7), (10_000, 1, 16, 16, 1),
    (16, 9, 16, 16, 9), (3, 2, 2, 2, 1),
  ])
  func `the shape is kept`(width: Int, height: Int, side: Int, newWidth: Int, newHeight: Int) {
    let fitted = PictureSize(width: width, height: height).fitted(to: side)
    #expect(fitted == PictureSize(width: newWidth, height: newHeight))
  }

  @Test(arguments: 1...40)
  func `random pictures agree with the plain formula`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let size = PictureSize(
      width: .random(in: 1...40, using: &random), height: .random(in: 1...40, using: &random))
    let pixels = (0..<size.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    let picture = Picture(size: size, pixels: pixels)
    let side = Int.random(in: 1...40, using: &random)
    let scaled = picture.scaled(toFit: side)
    for (index, value) in scaled.pixels.enumerated() {
      let exact = mean(of: picture, at: index, in: scaled.size)
      #expect(abs(Double(value) - exact) <= 0.5 + 1e-6, "seed \(seed), byte \(index)")
    }
  }

  /// The mean of the area under one byte of the new picture, in floating point.
  private func mean(of picture: Picture, at index: Int, in newSize: PictureSize) -> Double {
    let (pixel, channel) = index.quotientAndRemainder(dividingBy: 3)
    let (row, column) = pixel.quotientAndRemainder(dividingBy: newSize.width)
    let scale = (
      x: Double(picture.size.width) / Double(newSize.width),
      y: Double(picture.size.height) / Double(newSize.height)
    )
    var sum = 0.0
    for y in 0..<picture.size.height {
      let high = overlap(y, Double(row) * scale.y, Double(row + 1) * scale.y)
      for x in 0..<picture.size.width where high > 0 {
        let wide = overlap(x, Double(column) * scale.x, Double(column + 1) * scale.x)
        sum += high * wide * Double(picture.pixels[3 * (y * picture.size.width + x) + channel])
      }
    }
    return sum / (scale.x * scale.y)
  }

  private func overlap(_ pixel: Int, _ start: Double, _ end: Double) -> Double {
    max(0, min(end, Double(pixel + 1)) - max(start, Double(pixel)))
  }
}
