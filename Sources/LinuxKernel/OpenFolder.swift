import Glibc

/// A folder that is open: its names are looked up in it, whatever its path leads to meanwhile. Links in it are not
/// followed.
package struct OpenFolder: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  private init(_ number: CInt) throws(KernelError) {
    guard number >= 0 else { throw .current }
    descriptor = OwnedDescriptor(adopting: number)
  }

  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  /// The folder on a path, which may lead over links.
  package init(path: String) throws(KernelError) { try self.init(unsafe open(path, Self.flags)) }

  /// A folder in this one.
  package func folder(named name: String) throws(KernelError) -> OpenFolder {
    try OpenFolder(unsafe openat(descriptor.number, name, Self.flags | O_NOFOLLOW))
  }

  /// Makes a folder in this one that only this user may look into; says whether it was not there before.
  @discardableResult
  package func makeFolder(named name: String) throws(KernelError) -> Bool {
    if unsafe mkdirat(descriptor.number, name, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw .current }
    return false
  }

  /// Opens a file that was not there, for this user to read and write.
  package func makeFile(named name: String) throws(KernelError) -> OpenFile {
    try OpenFile(unsafe openat(descriptor.number, name, O_RDWR | O_CREAT | O_EXCL | Self.fileFlags, 0o600))
  }

  /// Opens a file; what is not a file is refused as an invalid argument, and not waited for.
  package func file(named name: String, writable: Bool = false) throws(KernelError) -> OpenFile {
    let file = try OpenFile(
      unsafe openat(descriptor.number, name, (writable ? O_RDWR : O_RDONLY) | O_NONBLOCK | Self.fileFlags))
    guard file.identity != nil else { throw .invalidArgument }
    return file
  }

  private static let fileFlags = O_CLOEXEC | O_NOFOLLOW | O_NOCTTY

  /// Gives a file another name, over whatever has that name.
  package func rename(_ name: String, to other: String) throws(KernelError) {
    guard unsafe renameat(descriptor.number, name, descriptor.number, other) == 0 else { throw .current }
  }

  /// Takes a file away.
  package func remove(_ name: String) throws(KernelError) {
    guard unsafe unlinkat(descriptor.number, name, 0) == 0 else { throw .current }
  }

  /// Takes away a folder that is empty.
  package func removeFolder(named name: String) throws(KernelError) {
    guard unsafe unlinkat(descriptor.number, name, AT_REMOVEDIR) == 0 else { throw .current }
  }

  /// The length of a file in bytes; nil of what is not there, or no file.
  package func byteCount(of name: String) -> Int? {
    var status = stat()
    // SAFETY: the call fills one `stat`, which outlives it.
    guard unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }

  /// Which file has a name; nil of what is not there, or no file.
  package func identity(of name: String) -> FileIdentity? {
    var status = stat()
    // SAFETY: the call fills one `stat`, which outlives it.
    guard unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileIdentity(status)
  }

  /// Waits until the names are as safe as the disk makes them.
  package func synchronize() throws(KernelError) {
    guard fsync(descriptor.number) == 0 else { throw .current }
  }

  /// Calls `body` with every name but those of the folder itself and the one above, in no order. Bytes that are no UTF-8
  /// are replaced.
  package func forEachName(_ body: (String) -> Void) throws(KernelError) {
    // Another descriptor than this one: the stream takes it over, and its place in the folder with it.
    let number = unsafe openat(descriptor.number, ".", Self.flags)
    guard number >= 0 else { throw .current }
    guard let stream = unsafe fdopendir(number) else {
      let error = KernelError.current
      close(number)
      throw error
    }
    defer { unsafe closedir(stream) }
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      // SAFETY: the entry's name ends in a zero and lives until the next is read.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { body(name) }
    }
    if errno != 0 { throw .current }
  }
}
