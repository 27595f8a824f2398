/// A mode's queue of blocks, in memory of its own.
///
/// Who queues blocks again and again goes there at once. The way through the loop's scopes counts a reference of each
/// object that it passes, which is more work than the queueing.
@safe struct BlockLine: ~Copyable {
  // SAFETY: initialized from `init` to `deinit`.
  fileprivate let memory: UnsafeMutablePointer<BlockQueue>

  init() {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: BlockQueue())
  }

  deinit {
    unsafe memory.deinitialize(count: 1)
    unsafe memory.deallocate()
  }

  /// The queue.
  var queue: BlockQueue {
    @inline(__always) _read { yield unsafe memory.pointee }
    @inline(__always) nonmutating _modify { yield unsafe &memory.pointee }
  }
}

/// The line that a loop's last block went to: nearly always the next one's, too.
@safe struct BlockTarget {
  let mode: RunLoop.Mode
  // SAFETY: a loop keeps its scopes, and they their lines, as long as it lives; the target is the loop's own.
  private let memory: UnsafeMutablePointer<BlockQueue>

  init(_ scope: Scope) {
    mode = scope.mode
    unsafe memory = scope.blockLine.memory
  }

  @inline(__always)
  func append(_ block: consuming Block) { unsafe memory.pointee.append(block) }
}
