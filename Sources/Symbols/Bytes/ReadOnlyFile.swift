import Glibc
package import LinuxKernel

/// A file that is read at given places. Never mapped: a mapped file that another process shortens kills
/// its reader, and a second mapping of a library misleads those who look for its load address.
package struct ReadOnlyFile: ~Copyable, Sendable {
  private let number: CInt
  private let isFromReserve: Bool

  package init(path: String) throws(KernelError) {
    // SAFETY: the path is a text with its zero for as long as the call takes.
    var opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    var isFromReserve = false
    if opened < 0, errno == EMFILE || errno == ENFILE, ReserveDescriptor.giveUp() {
      isFromReserve = true
      // SAFETY: as above.
      opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    }
    guard opened >= 0 else {
      let error = KernelError.current
      if isFromReserve { ReserveDescriptor.hold() }
      throw error
    }
    number = opened
    self.isFromReserve = isFromReserve
  }

  deinit {
    close(number)
    if isFromReserve { ReserveDescriptor.hold() }
  }

  /// The size in bytes, or 0 where it cannot be told.
  package var size: UInt64 {
    var status = stat()
    // SAFETY: the call fills one `stat`, which outlives it.
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
    return UInt64(max(0, status.st_size))
  }

  /// Up to `count` bytes from `offset` on; fewer where the file ends or cannot be read.
  package func bytes(at offset: UInt64, count: Int) -> [UInt8] {
    guard count > 0, let start = off_t(exactly: offset) else { return [] }
    // SAFETY: `filled` counts what was written, and nothing else.
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        // SAFETY: writes at most the room that is left behind what is filled.
        let got = unsafe pread(
          number, buffer.baseAddress! + filled, count - filled, start &+ off_t(filled))
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
  }

  /// What a file answers to one read of up to `count` bytes: all of it, where the kernel makes it in one piece.
  ///
  /// To read on to the end would let the kernel make it again. If as much comes as was asked for, there may be more.
  package static func head(ofPath path: String, count: Int) throws(KernelError) -> [UInt8] {
    let file = try ReadOnlyFile(path: path)
    var error: KernelError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var got = 0
      repeat {
        // SAFETY: writes at most the buffer's `count` bytes, and says how many it wrote.
        got = unsafe pread(file.number, buffer.baseAddress, count, 0)
      } while got < 0 && errno == EINTR
      if got < 0 { error = .current }
      filled = max(0, got)
    }
    if let error { throw error }
    return bytes
  }

  /// The whole of a small file such as /proc makes on reading, up to `limit` bytes.
  ///
  /// Read in one go where it fits into `expected` bytes: the kernel then shows one moment.
  package static func contents(
    ofPath path: String, expecting expected: Int = 4096, limit: Int = 64 << 20
  ) throws(KernelError) -> [UInt8] {
    let file = try ReadOnlyFile(path: path)
    var all: [UInt8] = []
    while all.count < limit {
      let more = file.bytes(at: UInt64(all.count), count: min(max(expected, all.count), limit - all.count))
      if more.isEmpty { break }
      all = all.isEmpty ? more : all + more
    }
    return all
  }
}
