import LinuxKernel
import Synchronization

/// Memory for the two sides of a handover, each on cache lines of its own: what is behind a lock, with the lock beside it,
/// and what belongs to the thread that takes.
///
/// The counts are for the other side: to be read without the lock, or without touching what is not one's own.
@safe struct HandoverMemory<Shared: ~Copyable, Own: ~Copyable>: ~Copyable {
  // SAFETY: each part is initialized in `init` and lives until `deinit`, in its own stretch of the memory.
  private let memory: UnsafeMutableRawPointer
  let gate: WordLock
  let sharedCount: UnsafeMutablePointer<Atomic<Int>>
  let shared: UnsafeMutablePointer<Shared>
  let ownCount: UnsafeMutablePointer<Atomic<Int>>
  let own: UnsafeMutablePointer<Own>

  init(shared: consuming Shared, own: consuming Own) {
    precondition(MemoryLayout<Shared>.size <= Self.partSize && MemoryLayout<Own>.size <= Self.partSize)
    let distance = Self.distance
    unsafe memory = .allocate(byteCount: 2 * distance, alignment: distance)
    gate = unsafe WordLock(in: memory)
    unsafe sharedCount = (memory + 8).bindMemory(to: Atomic<Int>.self, capacity: 1)
    unsafe sharedCount.initialize(to: Atomic(0))
    unsafe self.shared = (memory + 16).bindMemory(to: Shared.self, capacity: 1)
    unsafe self.shared.initialize(to: shared)
    unsafe ownCount = (memory + distance + 8).bindMemory(to: Atomic<Int>.self, capacity: 1)
    unsafe ownCount.initialize(to: Atomic(0))
    unsafe self.own = (memory + distance + 16).bindMemory(to: Own.self, capacity: 1)
    unsafe self.own.initialize(to: own)
  }

  deinit {
    unsafe own.deinitialize(count: 1)
    unsafe shared.deinitialize(count: 1)
    unsafe memory.deallocate()
  }

  /// Processors fetch lines in pairs.
  private static var distance: Int { 128 }
  private static var partSize: Int { distance - 16 }
}
