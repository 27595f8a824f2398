import Glibc

/// A file descriptor that this process owns and closes exactly once.
package struct OwnedDescriptor: ~Copyable, Sendable {
  package let number: CInt

  package init(adopting number: CInt) {
    precondition(number >= 0, "not a descriptor: \(number)")
    self.number = number
  }

  /// Gives the descriptor away: the caller closes it.
  package consuming func release() -> CInt {
    let given = number
    discard self
    return given
  }

  deinit {
    // EINTR included: on Linux the number is free again whatever close answers.
    _ = close(number)
  }
}
