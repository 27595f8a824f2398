import CLinuxKernel
import Synchronization

/// A lock of one word: free, held, or held with sleepers.
///
/// Uncontended it costs two atomic operations. Contended it spins for about a microsecond, since what it
/// protects here is a few stores long, and then sleeps in the kernel. Unlike `Synchronization.Mutex` it
/// is made of plain atomics that the thread sanitizer understands on Linux. Not recursive, not fair.
@usableFromInline package struct WordLock: ~Copyable, Sendable {
  @usableFromInline let word: FutexWord

  @usableFromInline enum State {
    @inlinable @inline(__always) static var free: UInt32 { 0 }
    @inlinable @inline(__always) static var held: UInt32 { 1 }
    @inlinable @inline(__always) static var heldWithSleepers: UInt32 { 2 }
  }

  /// How often a contended locker looks before it sleeps.
  private static let spins = 100

  /// A lock in memory of its own.
  package init() { word = FutexWord(State.free) }

  /// A lock at the start of memory of somebody else's, who keeps it as long as this value: beside what it protects it costs
  /// one cache line instead of two.
  package init(in memory: UnsafeMutableRawPointer) {
    let cell = unsafe memory.bindMemory(to: Atomic<UInt32>.self, capacity: 1)
    unsafe cell.initialize(to: Atomic(State.free))
    word = unsafe FutexWord(at: cell)
  }

  var address: UnsafeMutablePointer<UInt32> { unsafe word.address }

  @inlinable @inline(__always)
  package func lock() {
    if !word.compareExchange(State.free, State.held) { lockContended() }
  }

  @usableFromInline @inline(never)
  func lockContended() {
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
  @inlinable @inline(__always)
  package func unlock() {
    if word.exchange(State.free) == State.heldWithSleepers { word.wake() }
  }
}
