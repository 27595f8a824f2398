import LinuxKernel
import Synchronization

/// Where other threads leave what they want of a loop: a lock and a queue that the loop swaps for an empty one
/// when it looks.
///
/// A lock and a contiguous buffer beat lock-free lists here: nothing is allocated per entry, the critical
/// section is a few stores, and the loop takes a whole burst with one swap (`Docs/Decisions/0002`).
@safe struct Inbox: ~Copyable, @unchecked Sendable {
  // Sendable: what `shared` points to is touched with the lock held; what `taken` points to belongs to the loop's
  // thread.
  // SAFETY: the parts live as long as `memory`.
  private let memory: HandoverMemory<Shared, ChunkQueue<InboxEntry>>
  private let shared: UnsafeMutablePointer<Shared>
  private let taken: UnsafeMutablePointer<ChunkQueue<InboxEntry>>
  /// How many entries wait, for a glance without the lock.
  private let waitingCount: UnsafeMutablePointer<Atomic<Int>>
  private let closedFlag = Atomic<Bool>(false)
  private let refusingFlag = Atomic<Bool>(false)

  struct Shared: ~Copyable {
    var intake = Intake.open
    var written = ChunkQueue<InboxEntry>()
  }

  /// What is taken.
  enum Intake {
    case open
    /// Everything but blocks.
    case noBlocks
    case closed
  }

  init() {
    memory = HandoverMemory(shared: Shared(), own: ChunkQueue())
    unsafe shared = memory.shared
    unsafe taken = memory.own
    unsafe waitingCount = memory.sharedCount
  }

  /// Appends, from any thread. Says no once the inbox is closed, or takes no blocks and this is one.
  ///
  /// The unlocking is a full barrier: whoever reads the sleep word afterwards sees the loop asleep, or the
  /// loop sees the entry.
  @inline(__always)
  func post(_ entry: consuming InboxEntry) -> Bool {
    memory.gate.lock()
    if unsafe shared.pointee.intake != .open, unsafe shared.pointee.intake == .closed || entry.isBlock {
      memory.gate.unlock()
      return false
    }
    unsafe shared.pointee.written.append(entry)
    unsafe waitingCount.pointee.store(shared.pointee.written.count, ordering: .relaxed)
    memory.gate.unlock()
    return true
  }

  /// Whether anything waits, by a glance: what another thread is just posting may be missed.
  @inline(__always)
  var seemsEmpty: Bool { unsafe waitingCount.pointee.load(ordering: .acquiring) == 0 && !hasTaken }

  /// Whether anything waits, looked up under the lock: what was posted before a sleeper was seen is seen.
  var isEmpty: Bool {
    memory.gate.lock()
    defer { memory.gate.unlock() }
    return unsafe shared.pointee.written.count == 0 && !hasTaken
  }

  /// Whether the loop has ended. Any thread.
  var isClosed: Bool { closedFlag.load(ordering: .acquiring) }

  /// Whether blocks are refused. Any thread; on the loop's own what it says may just be changing.
  @inline(__always)
  var refusesBlocks: Bool { refusingFlag.load(ordering: .acquiring) }

  /// Refuses blocks from here on; those that were posted before are there to be taken. Any thread.
  func refuseBlocks() {
    memory.gate.lock()
    if unsafe shared.pointee.intake == .open { unsafe shared.pointee.intake = .noBlocks }
    memory.gate.unlock()
    refusingFlag.store(true, ordering: .releasing)
  }

  private var hasTaken: Bool { unsafe taken.pointee.count > 0 }

  /// The next entry, on the loop's thread: first what is left of the last swap, then, if `mayTakeMore`, what
  /// has been posted since. An entry's handling may call this again; the order stays.
  @inline(__always)
  func next(mayTakeMore: inout Bool) -> InboxEntry? {
    if !hasTaken {
      guard mayTakeMore else { return nil }
      mayTakeMore = false
      takeWritten()
      guard hasTaken else { return nil }
    }
    return unsafe taken.pointee.removeFirst()
  }

  private func takeWritten() {
    memory.gate.lock()
    unsafe swap(&shared.pointee.written, &taken.pointee)
    unsafe waitingCount.pointee.store(0, ordering: .relaxed)
    memory.gate.unlock()
  }

  /// Refuses whatever comes from here on, and gives what waits to `giveUp`. On the loop's thread.
  func close(_ giveUp: (consuming InboxEntry) -> Void) {
    memory.gate.lock()
    unsafe shared.pointee.intake = .closed
    memory.gate.unlock()
    closedFlag.store(true, ordering: .releasing)
    var mayTakeMore = true
    while let entry = next(mayTakeMore: &mayTakeMore) { giveUp(entry) }
  }
}
