import CLinuxKernel
import Glibc

/// What becomes of a process's loops and locks in a child that `fork` made.
///
/// In the child only the forking thread goes on. What other threads held stays as it was, for ever, and descriptors
/// are shared with the parent, so that a child that used an inherited epoll set would change the parent's. So the
/// child closes them first thing, everything made before the fork is of an earlier generation and refuses, and the
/// process's own few locks are held over the fork by the forking thread, so that the child finds them free.
package enum Fork {
  /// Grows by one in each child. One load.
  @inline(__always)
  package static var generation: UInt32 { ms_fork_generation() }

  /// Makes sure that forks are noticed from here on.
  package static func watch() { registration }

  private static let registration: Void = {
    let result = pthread_atfork({ Fork.held.lock() }, { Fork.held.unlock() }, { Fork.wakeInChild() })
    require(result == 0, "no memory for noticing forks: \(KernelError(result))")
  }()

  private static func wakeInChild() {
    ms_forget_parent()
    held.unlock()
  }

  fileprivate static let held = HeldLocks()

  /// The locks that no fork may catch held.
  fileprivate final class HeldLocks: Sendable {
    private let list = Locked<[any HeldAcrossForks]>([])

    func add(_ lock: any HeldAcrossForks) { list.withLock { $0.append(lock) } }

    func lock() {
      list.lock()
      for each in list.value { each.lock() }
    }

    func unlock() {
      for each in list.value.reversed() { each.unlock() }
      list.unlock()
    }
  }
}

/// A lock of the whole process.
private protocol HeldAcrossForks: AnyObject, Sendable {
  func lock()
  func unlock()
}

extension Locked: HeldAcrossForks {}

extension Locked {
  /// For a value of the whole process: a fork waits until nobody holds it, so that the child finds it free and whole.
  ///
  /// Such a lock is the last that a thread takes: none of them may be taken while another is held.
  package func heldAcrossForks() -> Self {
    Fork.watch()
    Fork.held.add(self)
    return self
  }
}
