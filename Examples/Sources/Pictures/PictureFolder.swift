/// A picture's file as the listing of its folder found it.
public struct PictureFile: Sendable, Equatable {
  /// The path by which it is opened.
  public let path: String
  /// The path from the listed folder on: `nature/Garden.jpg`.
  public let name: String
  /// The format its first bytes tell.
  public let format: PictureFormat
  /// The size its header tells.
  public let size: PictureSize
}

/// The JPEG and PNG files of a folder and of the folders in it.
public struct PictureFolder: Sendable, Equatable {
  /// The pictures, sorted by name.
  public private(set) var files: [PictureFile] = []
  /// The names of files that call themselves pictures but have no readable header, with the reason.
  public private(set) var unreadable: [String: String] = [:]

  private static let suffixes = [".jpg", ".jpeg", ".png"]
  /// Folders in folders are looked into so deep.
  private static let depthMax = 8
  /// The header is nearly always in this much of a file's beginning; else the whole file is read.
  private static let headerByteCount = 64 * 1024

  /// Lists the pictures in the folder at `path`; only their headers are read.
  ///
  /// - Throws: ``FileError`` if the folder cannot be read. A file that cannot is ``unreadable``.
  public init(_ path: String) throws(FileError) {
    try list(path, prefix: "", depth: 0)
  }

  /// The file with the most pixels; of equals, the first.
  public var largest: PictureFile? {
    files.max { ($0.size.pixelCount, $1.name) < ($1.size.pixelCount, $0.name) }
  }

  private mutating func list(_ path: String, prefix: String, depth: Int) throws(FileError) {
    for entry in try Folder.names(in: path) {
      let (name, inner) = (entry.text, path + "/" + entry.text)
      if Folder.isFolder(inner) {
        if depth < Self.depthMax { listInner(inner, prefix: prefix + name + "/", depth: depth + 1) }
      } else if Self.suffixes.contains(where: { name.lowercased().hasSuffix($0) }) {
        if entry.isExact {
          add(inner, name: prefix + name)
        } else {
          unreadable[prefix + name] = "its name is not UTF-8"
        }
      }
    }
  }

  /// One folder that cannot be read does not hide the others.
  private mutating func listInner(_ path: String, prefix: String, depth: Int) {
    do throws(FileError) {
      try list(path, prefix: prefix, depth: depth)
    } catch {
      unreadable[prefix] = "\(error)"
    }
  }

  private mutating func add(_ path: String, name: String) {
    do {
      let (format, size) = try Self.header(of: path)
      files.append(PictureFile(path: path, name: name, format: format, size: size))
    } catch {
      unreadable[name] = "\(error)"
    }
  }

  private static func header(of path: String) throws -> (PictureFormat, PictureSize) {
    let beginning = try File.read(path, limit: headerByteCount)
    guard let format = PictureFormat(beginning) else { throw PictureError.unknownFormat }
    do {
      return (format, try PictureSize(headerOf: beginning))
    } catch {
      // Colour profiles and previews may push the size far back.
      return (format, try PictureSize(headerOf: File.read(path)))
    }
  }
}
