/// Why bytes are not a picture, or a picture cannot become bytes.
public enum PictureError: Error, Equatable, Sendable {
  /// The bytes begin neither like JPEG nor like PNG.
  case unknownFormat
  /// The codec refuses them, in its own words: damaged, truncated, too large.
  case refused(String)
}

extension PictureError: CustomStringConvertible {
  /// One line without a full stop.
  public var description: String {
    switch self {
    case .unknownFormat: "neither JPEG nor PNG"
    case .refused(let reason): reason
    }
  }
}

/// The formats that can be read.
public enum PictureFormat: String, Sendable {
  /// JPEG, by libjpeg-turbo.
  case jpeg = "JPEG"
  /// PNG, by libpng.
  case png = "PNG"

  /// The format that bytes begin like.
  public init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else {
      return nil
    }
  }
}
