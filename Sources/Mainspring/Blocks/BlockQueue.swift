/// The blocks of one mode, first in, first out, in a ring of memory that grows and is reused.
///
/// Blocks are moved in and moved out, never copied: a closure is retained once, when it is made.
@safe struct BlockQueue: ~Copyable {
  // SAFETY: the cells [head, head + count) modulo capacity are initialized, all others are not. Only the
  // methods below move the bounds.
  private var memory: UnsafeMutablePointer<Block>?
  private var capacity = 0
  private var head = 0
  private var count = 0
  /// How many of them were run through another mode's queue.
  private var takenCount = 0

  init() {}

  deinit {
    for offset in 0..<count { unsafe (cells + (head + offset) & (capacity - 1)).deinitialize(count: 1) }
    unsafe memory?.deallocate()
  }

  /// Only while there is capacity.
  private var cells: UnsafeMutablePointer<Block> {
    @inline(__always) get { unsafe memory.unsafelyUnwrapped }
  }

  /// Whether there ever was a block.
  var wasUsed: Bool { capacity > 0 }

  /// How many it has memory for.
  var memoryCount: Int { capacity }

  /// How many it holds, those that were run through another mode's queue included.
  var heldCount: Int { count }

  /// How many blocks are still to run.
  var liveCount: Int { count - takenCount }

  @inline(__always)
  var isEmpty: Bool { count == takenCount }

  /// The number of the block that is next, or the largest number if there is none.
  @inline(__always)
  var firstSequence: UInt64 {
    mutating get {
      if takenCount != 0 { dropTaken() }
      return count == 0 ? .max : unsafe cells[head].sequence
    }
  }

  @inline(__always)
  mutating func append(_ block: consuming Block) {
    if count == capacity { grow() }
    unsafe (cells + (head &+ count) & (capacity &- 1)).initialize(to: block)
    count &+= 1
  }

  /// Removes the block that is next.
  @inline(__always)
  mutating func removeFirst() -> Block {
    precondition(count > 0, "no block left")
    let block = unsafe (cells + head).move()
    head = (head &+ 1) & (capacity &- 1)
    count &-= 1
    if count == 0, capacity > Self.keptCapacity { giveBackMemory() }
    return block
  }

  /// What a queue keeps when it is empty: some 300 KiB. A burst's memory is given back.
  private static let keptCapacity = 1 << 12

  @inline(never)
  private mutating func giveBackMemory() {
    unsafe memory?.deallocate()
    capacity = Self.keptCapacity
    unsafe memory = UnsafeMutablePointer.allocate(capacity: capacity)
    head = 0
  }

  /// Says that a shared block of this queue was run through another one.
  mutating func noteTaken() {
    takenCount += 1
    dropTaken()
    // What a live block in front keeps from going: at most as many as there are live ones.
    if takenCount >= Self.takenKept, takenCount * 2 > count { compact() }
  }

  /// How many blocks that were run elsewhere a queue may hold whatever its size.
  private static let takenKept = 16

  private mutating func compact() {
    for _ in 0..<count {
      let block = removeFirst()
      if !block.body.isTaken { append(block) }
    }
    takenCount = 0
  }

  private mutating func dropTaken() {
    while count > 0, unsafe cells[head].body.isTaken {
      _ = removeFirst()
      takenCount -= 1
    }
  }

  private mutating func grow() {
    let newCapacity = max(16, capacity * 2)
    let newCells = UnsafeMutablePointer<Block>.allocate(capacity: newCapacity)
    for offset in 0..<count {
      unsafe (newCells + offset).moveInitialize(from: cells + (head + offset) & (capacity - 1), count: 1)
    }
    unsafe memory?.deallocate()
    unsafe memory = newCells
    capacity = newCapacity
    head = 0
  }
}
