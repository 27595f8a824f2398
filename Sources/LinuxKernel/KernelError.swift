import Glibc

/// The error number of a system call that failed.
package struct KernelError: Error, Hashable, Sendable {
  package let number: CInt
  package init(_ number: CInt) { self.number = number }

  package static var current: KernelError { KernelError(errno) }
}

extension KernelError: CustomStringConvertible {
  /// The C library's words for the number, followed by the number.
  package var description: String {
    // SAFETY: strerror_l's result lives as long as the thread does not ask again; it is copied at once.
    let text = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "unknown error"
    return "\(text) (errno \(number))"
  }
}

extension KernelError {
  /// What is to be made is there already (EEXIST).
  package static let exists = KernelError(EEXIST)
  /// The operation is not possible with this kind of object (EPERM).
  package static let notPermitted = KernelError(EPERM)
  /// What is to be changed is not there (ENOENT).
  package static let notThere = KernelError(ENOENT)
  /// The process has as many descriptors as it may (EMFILE).
  package static let tooManyOpen = KernelError(EMFILE)
  /// The system has (ENFILE).
  package static let tooManyOpenInSystem = KernelError(ENFILE)
  /// No memory (ENOMEM).
  package static let noMemory = KernelError(ENOMEM)
  /// No room, or a limit of the user's is reached (ENOSPC).
  package static let noSpace = KernelError(ENOSPC)
  /// There is no such process (ESRCH).
  package static let noSuchProcess = KernelError(ESRCH)
  /// There is no such child (ECHILD).
  package static let noSuchChild = KernelError(ECHILD)
  /// An argument that the kernel does not take (EINVAL).
  package static let invalidArgument = KernelError(EINVAL)
  /// What stands on a path where a folder should is none (ENOTDIR).
  package static let notAFolder = KernelError(ENOTDIR)
  /// Symbolic links lead in a circle (ELOOP).
  package static let tooManyLinks = KernelError(ELOOP)
  /// The user may not (EACCES).
  package static let accessDenied = KernelError(EACCES)
  /// There is one already (EBUSY).
  package static let busy = KernelError(EBUSY)
  /// Not an open descriptor (EBADF).
  package static let badDescriptor = KernelError(EBADF)
  /// A file is larger than is allowed (EFBIG).
  package static let tooLarge = KernelError(EFBIG)
  /// What is to be a file is a folder (EISDIR).
  package static let isAFolder = KernelError(EISDIR)
}
