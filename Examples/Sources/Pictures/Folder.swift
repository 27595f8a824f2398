import Glibc

/// The entries of a folder.
enum Folder {
  /// A name in a folder; one that is not UTF-8 has marks in place of the wrong bytes, and no file opens by it.
  struct Name: Comparable {
    var text: String
    var isExact: Bool

    static func < (one: Name, other: Name) -> Bool { one.text < other.text }
  }

  /// The names in a folder, sorted, without those that begin with a full stop.
  static func names(in path: String) throws(FileError) -> [Name] {
    // SAFETY: the stream is used on this thread alone and closed once.
    guard let stream = unsafe opendir(path) else { throw FileError("open", path) }
    defer { unsafe closedir(stream) }
    var names: [Name] = []
    while let entry = unsafe readdir(stream) {
      // SAFETY: a name ends in zero and lies in the entry, which lives until the next readdir.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        let bytes = unsafe bytes.prefix { $0 != 0 }
        let exact = unsafe String(validating: bytes, as: UTF8.self)
        return unsafe Name(text: exact ?? String(decoding: bytes, as: UTF8.self), isExact: exact != nil)
      }
      if !name.text.hasPrefix(".") { names.append(name) }
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
