import Glibc

/// The entries of a folder.
enum Folder {
  /// The names in a folder, sorted, without those that begin with a full stop.
  static func names(in path: String) throws(FileError) -> [String] {
    // SAFETY: the stream is used on this thread alone and closed once.
    guard let stream = unsafe opendir(path) else { throw FileError("open", path) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // SAFETY: a name ends in zero and lies in the entry, which lives until the next readdir.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a path is a folder itself, not a link to one: links can make circles.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    // SAFETY: the call writes one stat, which outlives it.
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
