import Glibc

/// What the kernel says that a descriptor number stands for.
package enum DescriptorKind: Sendable {
  /// epoll can wait for it, as far as can be told without trying.
  case pollable
  /// A regular file, a folder, or a device without polling: always ready, and epoll refuses it.
  case file

  /// Asks the kernel. Throws if the number is not open.
  package static func of(_ number: CInt) throws(KernelError) -> DescriptorKind {
    var status = stat()
    // SAFETY: writes one stat, which outlives the call.
    guard unsafe fstat(number, &status) == 0 else { throw .current }
    let type = status.st_mode & S_IFMT
    switch type {
    case S_IFREG, S_IFDIR: return .file
    // Some devices can be polled, /dev/null cannot: only trying tells.
    case S_IFCHR, S_IFBLK: return try isRefusedByEpoll(number) ? .file : .pollable
    default: return .pollable
    }
  }

  private static func isRefusedByEpoll(_ number: CInt) throws(KernelError) -> Bool {
    let trial = try EpollSet()
    do throws(KernelError) {
      try trial.add(number, bits: 0, token: 0)
      return false
    } catch {
      guard error == .notPermitted else { throw error }
      return true
    }
  }
}
