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
