/// The blocks of one mode, first in, first out.
///
/// Blocks are moved in and moved out, never copied: a closure is retained once, when it is made.
struct BlockQueue: ~Copyable {
  private var blocks = ChunkQueue<Block>()
  /// How many of them were run through another mode's queue.
  private var takenCount = 0

  init() {}

  /// Whether there ever was a block.
  var wasUsed: Bool { blocks.capacity > 0 }

  /// How many it has memory for.
  var memoryCount: Int { blocks.capacity }

  /// How many it holds, those that were run through another mode's queue included.
  var heldCount: Int { blocks.count }

  /// How many blocks are still to run.
  var liveCount: Int { blocks.count - takenCount }

  @inline(__always)
  var isEmpty: Bool { blocks.count == takenCount }

  /// The number of the block that is next, or the largest number if there is none.
  @inline(__always)
  var firstSequence: UInt64 {
    mutating get {
      if takenCount != 0 { dropTaken() }
      return blocks.count == 0 ? .max : unsafe blocks.firstPlace().pointee.sequence
    }
  }

  @inline(__always)
  mutating func append(_ block: consuming Block) { blocks.append(block) }

  /// Removes the block that is next.
  @inline(__always)
  mutating func removeFirst() -> Block { blocks.removeFirst() }

  /// Says that a shared block of this queue was run through another one.
  mutating func noteTaken() {
    takenCount += 1
    dropTaken()
    // What a live block in front keeps from going: at most as many as there are live ones.
    if takenCount >= Self.takenKept, takenCount * 2 > blocks.count { compact() }
  }

  /// How many blocks that were run elsewhere a queue may hold whatever its size.
  private static let takenKept = 16

  private mutating func compact() {
    for _ in 0..<blocks.count {
      let block = removeFirst()
      if !block.body.isTaken { append(block) }
    }
    takenCount = 0
  }

  private mutating func dropTaken() {
    while blocks.count > 0, unsafe blocks.firstPlace().pointee.body.isTaken {
      _ = removeFirst()
      takenCount -= 1
    }
  }
}
