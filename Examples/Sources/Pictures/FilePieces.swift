import Glibc

/// A whole file in memory, read piece by piece. The memory stays where it is.
@safe final class FilePieces {
  private let path: String
  private let descriptor: CInt
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  private var isWhole = false

  /// So much is read at once: tens of microseconds where the file is in the kernel's memory.
  private static let pieceLength = 128 * 1024

  init(_ path: String) throws(FileError) {
    let (descriptor, length) = try File.open(path)
    self.path = path
    self.descriptor = descriptor
    unsafe memory = .allocate(capacity: max(1, length))
  }

  // SAFETY: nobody has the bytes any more: who uses them keeps this object.
  deinit {
    close(descriptor)
    unsafe memory.deallocate()
  }

  /// What was read so far; as long as this object is kept.
  var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(rebasing: memory[..<count]) }

  /// What tells the format.
  var beginning: [UInt8] { unsafe Array(bytes.prefix(16)) }

  /// Reads on; says whether it is whole.
  func readPiece() throws(FileError) -> Bool {
    if isWhole { return true }
    let length = min(Self.pieceLength, unsafe memory.count - count)
    // SAFETY: the call writes within the memory, behind what was read before.
    let got = unsafe read(descriptor, memory.baseAddress! + count, length)
    if got < 0, errno != EINTR { throw FileError("read", path) }
    count += max(0, got)
    // It may have become shorter meanwhile.
    isWhole = unsafe got == 0 || count == memory.count
    return isWhole
  }
}
