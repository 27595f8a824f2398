import Glibc

/// A folder that files are to be put into.
public enum OutputFolder {
  /// Sees whether files could be put into the folder at `path`, or the folder be made. Has no effect.
  ///
  /// - Throws: ``FileError``, naming the folder or the part of its path that is in the way.
  public static func check(_ path: String) throws(FileError) {
    var place = path
    var status = stat()
    // SAFETY: the call writes one stat, which outlives it.
    while unsafe stat(place, &status) != 0 {
      guard errno == ENOENT, place != ".", place != "/" else { throw FileError("write to", place) }
      place = parent(of: place)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(action: "write to", path: place, code: ENOTDIR)
    }
    // SAFETY: the path is a text that ends in zero and outlives the call.
    guard unsafe access(place, W_OK | X_OK) == 0 else { throw FileError("write to", place) }
  }

  private static func parent(of path: String) -> String {
    let path = path.reversed().drop { $0 == "/" }.drop { $0 != "/" }
    guard !path.isEmpty else { return "." }
    let parent = String(path.drop { $0 == "/" }.reversed())
    return parent.isEmpty ? "/" : parent
  }
}
