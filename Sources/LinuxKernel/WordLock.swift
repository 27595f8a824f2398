import CLinuxKernel
import Synchronization

/// A lock of one word: free, held, or held with sleepers.
///
/// Uncontended it costs two atomic operations. Contended it spins for about a microsecond, since what it
/// protects here is a few stores long, and then sleeps in the kernel. Unlike `Synchronization.Mutex` it
/// is made of plain atomics that the thread sanitizer understands on Linux. Not recursive, not fair.
package struct WordLock: ~Copyable, Sendable {
  private let word = FutexWord(State.free)

  private enum State {
    static let free: UInt32 = 0
    static let held: UInt32 = 1
    static let heldWithSleepers: UInt32 = 2
  }

  /// How often a contended locker looks before it sleeps.
  private static let spins = 100

  package init() {}

  var address: UnsafeMutablePointer<UInt32> { unsafe word.address }

  @inline(__always)
  package func lock() {
    if !word.compareExchange(State.free, State.held) { lockContended() }
  }

  @inline(never)
  private func lockContended() {
    for _ in 0..<Self.spins {
      ms_spin_pause()
      if word.relaxedLoad() == State.free, word.compareExchange(State.free, State.held) { return }
    }
    // From here on the word says that somebody sleeps, so that the holder wakes us; whoever gets the lock
    // this way leaves it saying so, which costs at most one needless wake.
    while word.exchange(State.heldWithSleepers) != State.free {
      word.wait(while: State.heldWithSleepers, until: nil)
    }
  }

  /// A full barrier: what the holder did is seen before anything that it reads afterwards.
  @inline(__always)
  package func unlock() {
    if word.exchange(State.free) == State.heldWithSleepers { word.wake() }
  }
}
