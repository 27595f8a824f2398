/// The timers that are due soon: a 4-ary heap by date, then by order of arming, whose members know their
/// places, so that cancelling is as cheap as arming.
///
/// - Complexity: O(log n) to insert and to remove, O(1) to look.
@safe struct TimerHeap: ~Copyable {
  @unsafe private struct Entry {
    var due: UInt64
    var link: TimerLink.Reference
  }

  // SAFETY: the first `count` entries are initialized and point to links that outlive their membership (a
  // timer leaves its queues before its links are freed); link.position is its index here.
  private var memory: UnsafeMutablePointer<Entry>?
  private var capacity = 0
  private(set) var count = 0
  private static let arity = 4

  init() {}

  deinit { unsafe memory?.deallocate() }

  /// Only while there are entries.
  private var entries: UnsafeMutablePointer<Entry> {
    @inline(__always) get { unsafe memory.unsafelyUnwrapped }
  }

  var isEmpty: Bool { count == 0 }

  /// The earliest.
  @inline(__always)
  var first: TimerLink.Reference? { count == 0 ? nil : unsafe entries[0].link }

  /// The earliest date, or the largest number.
  @inline(__always)
  var firstDue: UInt64 { count == 0 ? .max : unsafe entries[0].due }

  mutating func insert(_ link: TimerLink.Reference) {
    if count == capacity { grow() }
    count &+= 1
    unsafe link.pointee.place = .heap
    unsafe siftUp(Entry(due: link.pointee.due, link: link), from: count &- 1)
  }

  mutating func remove(_ link: TimerLink.Reference) {
    let index = unsafe Int(link.pointee.position)
    unsafe precondition(index < count && entries[index].link == link, "the timer is not where it says")
    unsafe link.pointee.place = .none
    count &-= 1
    guard index != count else { return }
    let last = unsafe entries[count]
    if unsafe index > 0 && isBefore(last, entries[(index &- 1) / Self.arity]) {
      unsafe siftUp(last, from: index)
    } else {
      unsafe siftDown(last, from: index)
    }
  }

  @inline(__always)
  private func isBefore(_ a: Entry, _ b: Entry) -> Bool {
    if unsafe a.due != b.due { return unsafe a.due < b.due }
    return unsafe a.link.pointee.sequence < b.link.pointee.sequence
  }

  @inline(__always)
  private mutating func put(_ entry: Entry, at index: Int) {
    unsafe entries[index] = entry
    unsafe entry.link.pointee.position = UInt32(truncatingIfNeeded: index)
  }

  private mutating func siftUp(_ entry: Entry, from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index &- 1) / Self.arity
      guard unsafe isBefore(entry, entries[parent]) else { break }
      unsafe put(entries[parent], at: index)
      index = parent
    }
    unsafe put(entry, at: index)
  }

  private mutating func siftDown(_ entry: Entry, from start: Int) {
    var index = start
    while true {
      let firstChild = index &* Self.arity &+ 1
      guard firstChild < count else { break }
      var least = firstChild
      for child in (firstChild &+ 1)..<max(firstChild &+ 1, min(firstChild &+ Self.arity, count))
      where unsafe isBefore(entries[child], entries[least]) {
        least = child
      }
      guard unsafe isBefore(entries[least], entry) else { break }
      unsafe put(entries[least], at: index)
      index = least
    }
    unsafe put(entry, at: index)
  }

  private mutating func grow() {
    precondition(count < Int(UInt32.max), "more timers than a heap can number")
    let newCapacity = max(16, capacity * 2)
    let newEntries = UnsafeMutablePointer<Entry>.allocate(capacity: newCapacity)
    if let memory = unsafe memory {
      unsafe newEntries.moveInitialize(from: memory, count: count)
      unsafe memory.deallocate()
    }
    unsafe memory = newEntries
    capacity = newCapacity
  }
}
