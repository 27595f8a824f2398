/// A picture in memory: three bytes a pixel, red, green and blue, row after row from the top.
public struct Picture: Sendable, Equatable {
  /// The size in pixels; neither side is zero.
  public let size: PictureSize
  /// The bytes, `3 * width * height` of them.
  public let pixels: [UInt8]

  /// A picture of these pixels; traps if their number does not suit the size.
  public init(size: PictureSize, pixels: [UInt8]) {
    precondition(size.width > 0 && size.height > 0, "a picture of \(size) is empty")
    precondition(size.longerSide <= PictureSize.sideMax, "a picture of \(size) is too long")
    precondition(
      pixels.count == size.byteCount, "\(size) are \(size.byteCount) bytes, not \(pixels.count)")
    self.size = size
    self.pixels = pixels
  }
}

/// Width and height in pixels.
public struct PictureSize: Sendable, Hashable, CustomStringConvertible {
  /// From left to right.
  public var width: Int
  /// From top to bottom.
  public var height: Int

  /// So wide and so high.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The longest side that a picture may have: libpng's limit; JPEG's is 65 500.
  public static let sideMax = 1_000_000

  /// The number of pixels.
  public var pixelCount: Int { width * height }

  /// The number of bytes of a picture of this size.
  public var byteCount: Int { 3 * pixelCount }

  /// The longer side.
  public var longerSide: Int { max(width, height) }

  /// `5640 x 3172`.
  public var description: String { "\(width) x \(height)" }

  /// The size of the same shape that fits into a square of `side` pixels; never larger, never empty.
  public func fitted(to side: Int) -> PictureSize {
    precondition(side > 0, "nothing fits into \(side) pixels")
    guard longerSide > side else { return self }
    func scaled(_ length: Int) -> Int { max(1, (2 * length * side + longerSide) / (2 * longerSide)) }
    return PictureSize(width: scaled(width), height: scaled(height))
  }
}
