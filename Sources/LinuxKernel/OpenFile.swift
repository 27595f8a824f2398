import Glibc

/// A file that is open.
package struct OpenFile: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  init(_ number: CInt) throws(KernelError) {
    guard number >= 0 else { throw .current }
    descriptor = OwnedDescriptor(adopting: number)
  }

  /// Makes the file anew, or empties the one that is there.
  package static func emptied(at path: String) throws(KernelError) -> OpenFile {
    while true {
      // SAFETY: the path's bytes outlive the call.
      let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o644)
      if number < 0, errno == EINTR { continue }
      return try OpenFile(number)
    }
  }

  /// Cuts off what lies behind.
  package func truncate(to length: Int) throws(KernelError) {
    guard ftruncate(descriptor.number, off_t(length)) == 0 else { throw .current }
  }

  /// Whether this process is a child of the one that opened it.
  package var isInherited: Bool { descriptor.isInherited }

  /// Which file it is; nil if it is something else: a pipe, a device.
  package var identity: FileIdentity? {
    var status = stat()
    // SAFETY: the call fills one `stat`, which outlives it.
    guard unsafe fstat(descriptor.number, &status) == 0 else { return nil }
    return FileIdentity(status)
  }

  /// Writes all of `bytes`, from `offset` on.
  package func write(_ bytes: [UInt8], at offset: Int = 0) throws(KernelError) {
    var written = 0
    while written < bytes.count {
      // SAFETY: writes what is left of the array, which is not changed meanwhile.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(
          descriptor.number, $0.baseAddress! + written, $0.count - written, off_t(offset + written))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .current
      }
      written += count
    }
  }

  /// All bytes, up to `limit`; a longer file is refused as too large.
  package func contents(limit: Int) throws(KernelError) -> [UInt8] {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(limit + 1, 64 << 10))
    while true {
      // SAFETY: writes at most the piece's length.
      let count = unsafe piece.withUnsafeMutableBytes {
        unsafe pread(descriptor.number, $0.baseAddress!, $0.count, off_t(all.count))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .current
      }
      if count == 0 { return all }
      all.append(contentsOf: piece[..<count])
      guard all.count <= limit else { throw .tooLarge }
    }
  }

  /// Waits until the bytes are as safe as the disk makes them.
  package func synchronize() throws(KernelError) {
    guard fsync(descriptor.number) == 0 else { throw .current }
  }

  /// Locks the file for who holds this descriptor, until it is closed: by the kernel, if the process dies. Says whether
  /// nobody else has it locked.
  ///
  /// The lock belongs to the open file, not to the process: whoever opens the file anew competes for it, also here.
  package func lock() throws(KernelError) -> Bool {
    while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return false
      default: throw .current
      }
    }
    return true
  }
}

/// What tells a file from any other of the machine's that is there at the same time.
package struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64

  /// Nil of what is no file.
  init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
