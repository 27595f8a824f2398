import CLinuxKernel
import Glibc
public import Synchronization

/// A word that threads can sleep on until another changes it.
///
/// The word lives as long as this object; the address that the kernel sees never changes.
@safe @usableFromInline package struct FutexWord: ~Copyable, @unchecked Sendable {
  // Sendable: the only stored property is the address of an atomic that is freed with this value,
  // which nobody can still be using then (a non-copyable value has one owner).
  @usableFromInline let cell: UnsafeMutablePointer<Atomic<UInt32>>
  private let isOwned: Bool

  /// A word that lies in memory of somebody else's, who keeps it as long as this value.
  package init(at cell: UnsafeMutablePointer<Atomic<UInt32>>) {
    unsafe self.cell = unsafe cell
    isOwned = false
  }

  package init(_ value: UInt32 = 0) {
    // A line of its own: the word is written by threads that have nothing else in common.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
    unsafe cell = memory.bindMemory(to: Atomic<UInt32>.self, capacity: 1)
    // SAFETY: fresh memory of the right size and alignment.
    unsafe cell.initialize(to: Atomic(value))
    isOwned = true
  }

  deinit {
    guard isOwned else { return }
    unsafe cell.deinitialize(count: 1)
    unsafe UnsafeMutableRawPointer(cell).deallocate()
  }

  // SAFETY: an Atomic<UInt32> is laid out as the four bytes of its value.
  var address: UnsafeMutablePointer<UInt32> { unsafe UnsafeMutablePointer(OpaquePointer(cell)) }

  @inlinable @inline(__always) package func load() -> UInt32 {
    unsafe cell.pointee.load(ordering: .sequentiallyConsistent)
  }

  /// For a glance that decides nothing by itself.
  @inlinable @inline(__always) package func relaxedLoad() -> UInt32 {
    unsafe cell.pointee.load(ordering: .relaxed)
  }

  /// Publishes `value`; later reads of the same thread may be done before it is seen elsewhere.
  @inlinable @inline(__always) package func store(_ value: UInt32) {
    unsafe cell.pointee.store(value, ordering: .releasing)
  }

  /// Puts `value` in and gives back what was there; a full barrier.
  @inlinable @inline(__always) package func exchange(_ value: UInt32) -> UInt32 {
    unsafe cell.pointee.exchange(value, ordering: .sequentiallyConsistent)
  }

  /// Puts `desired` in if the word still equals `expected`; a full barrier. Says whether it did.
  @inlinable @inline(__always) package func compareExchange(_ expected: UInt32, _ desired: UInt32) -> Bool {
    unsafe cell.pointee.compareExchange(
      expected: expected, desired: desired, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Why a sleep ended.
  package enum WakeUp: Sendable { case woken, changed, timedOut }

  /// Sleeps while the word equals `expected`, until it is woken or the deadline on the monotonic clock
  /// passes. May end early without a reason: look at the word again.
  @discardableResult
  package func wait(while expected: UInt32, until deadline: UInt64?) -> WakeUp {
    // SAFETY: an Atomic<UInt32> is laid out as the four bytes of its value.
    let address = unsafe UnsafePointer<UInt32>(OpaquePointer(cell))
    let error: CInt
    if let deadline {
      var limit = timespec(nanoseconds: deadline)
      error = unsafe ms_futex_wait(address, expected, &limit)
    } else {
      error = unsafe ms_futex_wait(address, expected, nil)
    }
    switch error {
    case ETIMEDOUT: return .timedOut
    case EAGAIN: return .changed
    default: return .woken
    }
  }

  /// Wakes one sleeper, or all.
  @usableFromInline package func wake(all: Bool = false) {
    let address = unsafe UnsafePointer<UInt32>(OpaquePointer(cell))
    _ = unsafe ms_futex_wake(address, all ? CInt.max : 1)
  }
}
