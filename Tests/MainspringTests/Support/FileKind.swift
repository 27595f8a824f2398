import Foundation

/// What is at a path, and who may do what with it.
struct FileKind: Equatable {
  private let type: FileAttributeType
  private let mode: Int

  private init(_ type: FileAttributeType, _ mode: Int) { (self.type, self.mode) = (type, mode) }

  /// Nil if nothing is there. A link is not followed.
  init?(of path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let type = attributes[.type] as? FileAttributeType,
      let mode = attributes[.posixPermissions] as? NSNumber
    else { return nil }
    self.init(type, mode.intValue & 0o777)
  }

  static func socket(_ mode: Int) -> FileKind { FileKind(.typeSocket, mode) }
  static func folder(_ mode: Int) -> FileKind { FileKind(.typeDirectory, mode) }
  static func file(_ mode: Int) -> FileKind { FileKind(.typeRegular, mode) }
}
