import CLinuxKernel

/// What becomes of a process's loops and locks in a child that `fork` made.
///
/// In the child only the forking thread goes on. What other threads held stays as it was, for ever, and descriptors
/// are shared with the parent, so that a child that used an inherited epoll set would change the parent's. So the
/// child closes them first thing, everything made before the fork is of an earlier generation and refuses, and the
/// process's own few locks are held over the fork by the forking thread, so that the child finds them free. All of that
/// is C (fork.c): at that moment nothing of Swift's runtime may be asked for.
package enum Fork {
  /// Grows by one in each child. One load.
  @inline(__always)
  package static var generation: UInt32 { ms_fork_generation() }

  /// Makes sure that forks are noticed from here on.
  package static func watch() { registration }

  private static let registration: Void = {
    let error = ms_watch_forks()
    require(error == 0, "no memory for noticing forks: \(KernelError(error))")
  }()
}

extension Locked {
  /// For a value of the whole process: a fork waits until nobody holds it, so that the child finds it free and whole.
  ///
  /// Such a lock is the last that a thread takes: none of them may be taken while another is held. Kept for ever.
  package func heldAcrossForks() -> Self {
    Fork.watch()
    let error = unsafe ms_hold_over_forks(address)
    require(error == 0, "more locks of the whole process than are held over a fork")
    // SAFETY: the word is used by every fork from here on.
    _ = unsafe Unmanaged.passRetained(self)
    return self
  }
}
