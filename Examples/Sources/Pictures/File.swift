import Glibc

/// Whole files, read and written by plain system calls: the thread waits for each.
enum File {
  /// The most bytes that a file of a picture may have.
  static let byteCountMax = 256 * 1024 * 1024

  /// The first `limit` bytes of a file, or all of it if it is shorter.
  static func read(_ path: String, limit: Int = byteCountMax) throws(FileError) -> [UInt8] {
    let (descriptor, length) = try open(path)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: min(limit, length))
    var count = 0
    while count < bytes.count {
      // SAFETY: the call writes within the rest of `bytes`, which outlives it.
      let got = unsafe bytes[count...].withUnsafeMutableBytes { rest in
        unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
      }
      if got > 0 {
        count += got
      } else if got == 0 {
        // The file became shorter meanwhile.
        bytes.removeLast(bytes.count - count)
      } else if errno != EINTR {
        throw FileError("read", path)
      }
    }
    return bytes
  }

  /// A descriptor of a regular file, and the file's length, at most `byteCountMax`.
  static func open(_ path: String) throws(FileError) -> (descriptor: CInt, length: Int) {
    // Not to wait for whoever would write into a pipe of that name.
    // SAFETY: the path is a text that ends in zero and outlives the call.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw FileError("open", path) }
    var status = stat()
    // SAFETY: the call writes one stat, which outlives it.
    let isKnown = unsafe fstat(descriptor, &status) == 0
    let error = FileError("read", path)
    guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw isKnown ? FileError(action: "read", path: path, code: FileError.notRegularFile) : error
    }
    return (descriptor, min(byteCountMax, Int(status.st_size)))
  }

  /// Puts `bytes` at `path`: others see the old file or the whole new one, never a part.
  static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let draft = "\(path).\(getpid()).part"
    do throws(FileError) {
      try write(bytes, to: draft)
      // SAFETY: the paths are texts that end in zero and outlive the call.
      guard unsafe rename(draft, path) == 0 else { throw FileError("write", path) }
    } catch {
      // SAFETY: the path is a text that ends in zero and outlives the call.
      unsafe unlink(draft)
      throw error
    }
  }

  /// Makes a folder and those above it, as far as they are missing.
  static func makeFolder(_ path: String) throws(FileError) {
    if isFolderMade(path) { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw FileError("make", path)
    }
    try makeFolder(String(path[..<slash]))
    guard isFolderMade(path) else { throw FileError("make", path) }
  }

  /// Makes one folder; answers whether it is there now.
  private static func isFolderMade(_ path: String) -> Bool {
    // SAFETY: the path is a text that ends in zero and outlives the call.
    unsafe mkdir(path, 0o777) == 0 || errno == EEXIST
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    // SAFETY: the path is a text that ends in zero and outlives the call.
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileError("write", path) }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      // SAFETY: the call reads within the rest of `bytes`, which outlives it.
      let count = unsafe bytes[written...].withUnsafeBytes { rest in
        unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw FileError("write", path)
      }
    }
  }
}
