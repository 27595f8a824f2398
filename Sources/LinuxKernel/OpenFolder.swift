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

extension OpenFolder {
  /// The folder that a path leads into, and the name there.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.utf8.index(after: slash)...]))
  }

  /// Makes a folder that only this user may look into; says whether it was not there before.
  @discardableResult
  package static func make(at path: String) throws(KernelError) -> Bool {
    if unsafe mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw .current }
    return false
  }

  /// Whether others than this user and root may take files in it away, or put theirs in their place.
  package var isOpenToOthers: Bool {
    get throws(KernelError) {
      var status = stat()
      // SAFETY: the call fills one `stat`, which outlives it.
      guard unsafe fstat(descriptor.number, &status) == 0 else { throw .current }
      if status.st_uid != geteuid(), status.st_uid != 0 { return true }
      return status.st_mode & (S_IWGRP | S_IWOTH) != 0 && status.st_mode & S_ISVTX == 0
    }
  }

  /// Which socket has a name; nil if there is none, or something else.
  package func socket(named name: String) -> SocketIdentity? {
    var status = stat()
    // SAFETY: the call fills one `stat`, which outlives it.
    guard unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFSOCK
    else { return nil }
    return SocketIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }
}

/// What tells a socket's file from any other of the machine's that is there at the same time.
package struct SocketIdentity: Sendable, Hashable {
  let device: UInt64
  let number: UInt64
}
