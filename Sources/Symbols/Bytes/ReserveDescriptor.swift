import Glibc
import Synchronization

/// One descriptor that is kept for when the process has no more: what a monitor reads then is what somebody wants to know.
///
/// It is the end of a pipe, of which each has a number of its own, so that it is known again: a program that closes everything and opens something
/// else under the same number is not to lose that.
enum ReserveDescriptor {
  private static let number = Atomic<CInt>(-1)
  private static let identity = Atomic<UInt64>(0)

  /// Puts one aside, if none is.
  static func hold() {
    guard number.load(ordering: .relaxed) < 0 else { return }
    var ends: [CInt] = [-1, -1]
    // SAFETY: the call writes the two numbers that the array has room for.
    guard unsafe pipe(&ends) == 0 else { return }
    close(ends[1])
    let made = ends[0]
    _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    identity.store(inode(of: made) ?? 0, ordering: .relaxed)
    if !number.compareExchange(expected: -1, desired: made, ordering: .sequentiallyConsistent).exchanged {
      close(made)
    }
  }

  /// Gives it up; says whether there was one.
  static func giveUp() -> Bool {
    let kept = number.exchange(-1, ordering: .sequentiallyConsistent)
    guard kept >= 0, inode(of: kept) == identity.load(ordering: .relaxed) else { return false }
    close(kept)
    return true
  }

  private static func inode(of descriptor: CInt) -> UInt64? {
    var status = stat()
    // SAFETY: the call fills one `stat`, which outlives it.
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    // Pipes lie on a file system of the kernel's own.
    return UInt64(status.st_ino) &* 31 &+ UInt64(status.st_dev)
  }
}

extension ReadOnlyFile {
  /// Puts a descriptor aside for files that are read when the process has none left.
  package static func keepReserve() { ReserveDescriptor.hold() }
}
