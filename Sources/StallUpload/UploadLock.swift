import Glibc
import LinuxKernel
import StallMonitor

/// The right to send from a folder that several processes may share: one at a time has it, and loses it with its life.
final class UploadLock {
  private let file: OwnedDescriptor

  /// The lock, or nil if somebody else has it.
  init?(of archive: ReportArchive) throws(KernelError) {
    let number = unsafe open("\(archive.path)/.upload", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw .current }
    file = OwnedDescriptor(adopting: number)
    guard flock(number, LOCK_EX | LOCK_NB) != 0 else { return }
    guard errno == EWOULDBLOCK else { throw .current }
    return nil
  }

  /// Not by closing alone: a child that another thread is about to make a program of has the file, too.
  deinit { flock(file.number, LOCK_UN) }
}
