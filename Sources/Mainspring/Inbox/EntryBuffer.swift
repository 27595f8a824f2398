/// A growing stretch of inbox entries that is filled at the end and emptied by moving out.
@safe struct EntryBuffer: ~Copyable {
  // SAFETY: of the cells [0, count), those that were moved out are for the caller to remember (it moves from
  // the front and keeps a cursor); all others are initialized.
  private var memory: UnsafeMutablePointer<InboxEntry>?
  private var capacity = 0
  private(set) var count = 0

  init() {}

  deinit {
    unsafe memory?.deinitialize(count: count)
    unsafe memory?.deallocate()
  }

  /// Only while there is capacity.
  private var cells: UnsafeMutablePointer<InboxEntry> {
    @inline(__always) get { unsafe memory.unsafelyUnwrapped }
  }

  @inline(__always)
  mutating func append(_ entry: consuming InboxEntry) {
    if count == capacity { grow() }
    unsafe (cells + count).initialize(to: entry)
    count &+= 1
  }

  @inline(__always)
  func move(at index: Int) -> InboxEntry { unsafe (cells + index).move() }

  /// Starts anew after everything was moved out. Memory that a burst left is given back when it was large.
  mutating func forgetMoved() {
    count = 0
    guard capacity > Self.keptCapacity else { return }
    unsafe memory?.deallocate()
    unsafe memory = nil
    capacity = 0
  }

  /// Gives up the entries from `start` on, the earlier ones having been moved out.
  mutating func removeAll(from start: Int) {
    if start < count { unsafe (cells + start).deinitialize(count: count - start) }
    count = 0
  }

  /// What a buffer keeps between bursts: some 300 KiB.
  private static let keptCapacity = 1 << 12

  private mutating func grow() {
    let newCapacity = max(64, capacity * 2)
    let newCells = UnsafeMutablePointer<InboxEntry>.allocate(capacity: newCapacity)
    if let memory = unsafe memory {
      unsafe newCells.moveInitialize(from: memory, count: count)
      unsafe memory.deallocate()
    }
    unsafe memory = newCells
    capacity = newCapacity
  }
}
