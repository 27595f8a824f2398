import Glibc

/// What the kernel says that a descriptor number stands for.
package enum DescriptorKind: Sendable {
  /// epoll can wait for it, as far as can be told without trying.
  case pollable
  /// A regular file or a folder: always readable, and epoll refuses it.
  case file

  /// Asks the kernel. Throws if the number is not open.
  package static func of(_ number: CInt) throws(KernelError) -> DescriptorKind {
    var status = stat()
    // SAFETY: writes one stat, which outlives the call.
    guard unsafe fstat(number, &status) == 0 else { throw .current }
    let type = status.st_mode & S_IFMT
    return type == S_IFREG || type == S_IFDIR ? .file : .pollable
  }
}
