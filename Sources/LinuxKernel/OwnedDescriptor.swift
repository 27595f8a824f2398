import CLinuxKernel
import Glibc

/// A file descriptor that this process owns and closes exactly once. A forked child closes its copy at once.
package struct OwnedDescriptor: ~Copyable, Sendable {
  package let number: CInt
  private let generation = Fork.generation

  package init(adopting number: CInt) {
    require(number >= 0, "not a descriptor: \(number)")
    self.number = number
    ms_own_descriptor(number)
  }

  /// Whether this process is a child of the one that the descriptor was opened in: the number is closed, or another's.
  package var isInherited: Bool { generation != Fork.generation }

  /// Gives the descriptor away: the caller adopts it again to close it.
  package consuming func release() -> CInt {
    let given = number
    discard self
    return given
  }

  deinit {
    guard !isInherited else { return }
    ms_disown_descriptor(number)
    // EINTR included: on Linux the number is free again whatever close answers.
    _ = close(number)
  }
}
