import Pictures

/// The picture of one cell, loaded in steps.
@MainActor
final class PictureLoad {
  private let path: String
  private var reader: PictureReader?
  /// Whether the first step was done.
  var isBegun: Bool { reader != nil }

  init(_ path: String) { self.path = path }

  /// Goes on a little: reads the file, or a row of the picture.
  ///
  /// - Returns: the picture, once it is whole.
  func step() throws -> Picture? {
    guard let reader else {
      reader = try PictureReader(contentsOf: path, longerSide: Grid.pictureSide)
      return nil
    }
    return try reader.step()
  }

  /// All of it at once.
  func finish() throws -> Picture {
    while true { if let picture = try step() { return picture } }
  }
}
