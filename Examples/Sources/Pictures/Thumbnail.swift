/// A small JPEG picture that was made of a file.
public struct Thumbnail: Sendable, Equatable {
  /// Where it was written.
  public let path: String
  /// Its size in pixels.
  public let size: PictureSize
  /// Its length in bytes.
  public let byteCount: Int

  /// Makes the thumbnail of `file` in the folder `output`, under the file's name and `.jpg`.
  ///
  /// Blocks the thread: reads, decodes, scales, encodes and writes. The file at the new path is replaced as
  /// a whole or not at all; folders are made as needed.
  /// - Parameters:
  ///   - file: The picture.
  ///   - output: The folder for thumbnails.
  ///   - side: The longer side of the thumbnail in pixels.
  ///   - detail: How much is decoded: `.full`, or `.atLeast` twice the side for nearly the same in less time.
  /// - Throws: ``FileError`` or ``PictureError``.
  public static func make(
    of file: PictureFile, in output: String, side: Int, detail: Picture.Detail
  ) throws -> Thumbnail {
    let picture = try Picture(decoding: File.read(file.path), detail: detail)
    return try picture.scaled(toFit: side).write(as: file.name, in: output)
  }
}

extension Picture {
  /// Writes the picture as JPEG into the folder `output`, under `name` and `.jpg`.
  ///
  /// - Throws: ``FileError`` or ``PictureError``.
  public func write(as name: String, in output: String) throws -> Thumbnail {
    let path = "\(output)/\(name).jpg"
    let bytes = try jpeg()
    if let slash = path.lastIndex(of: "/") { try File.makeFolder(String(path[..<slash])) }
    try File.replace(path, with: bytes)
    return Thumbnail(path: path, size: size, byteCount: bytes.count)
  }

  /// The picture in the file at `path`. Blocks the thread.
  ///
  /// - Throws: ``FileError`` or ``PictureError``.
  public init(contentsOf path: String, detail: Detail = .full) throws {
    try self.init(decoding: File.read(path), detail: detail)
  }
}
