internal import CLinuxKernel

/// The timers that are due later, in lists by when: arming and cancelling are a few stores at any number.
///
/// Eight levels of 64 slots; a slot of level *n* spans 64ⁿ ticks of about a millisecond. A timer sits at the
/// highest level where its tick differs from the current one and moves down as time comes near; when its tick
/// is reached it goes to the caller's heap. `current` may run ahead of the clock: it is only the border
/// between what the heap holds (ticks up to it) and what the wheel holds.
///
/// The timers of a slot stand in four lists, in no order: those that are next in each are fetched while one is moved.
@safe struct TimerWheel: ~Copyable {
  // SAFETY: once something was inserted, `slots` has levels × slotsPerLevel cells for the life of the value; before,
  // nothing is occupied and nobody looks at them. A list's links outlive their membership; `back` of
  // each points to the pointer that points to it.
  private var slotMemory: UnsafeMutablePointer<Slot>?
  private var occupied: [8 of UInt64] = .init(repeating: 0)
  /// The levels where a slot is occupied.
  private var usedLevels: UInt8 = 0
  private var inexact: [8 of UInt64] = .init(repeating: 0)
  private var current: UInt64

  @unsafe private struct Slot {
    var heads: [4 of TimerLink.Reference?] = unsafe .init(repeating: nil)
    /// The list that the next one comes to.
    var turn: UInt8 = 0
    /// The earliest date in it; too early after that timer was cancelled, which `inexact` then says.
    var earliest = UInt64.max

    @inline(__always)
    var isEmpty: Bool {
      unsafe heads[0] == nil && heads[1] == nil && heads[2] == nil && heads[3] == nil
    }
  }

  private static let levels = 8
  private static let slotsPerLevel = 64
  private static let levelBits = 6
  /// A tick is 2²⁰ ns.
  private static let tickBits: UInt64 = 20

  /// Takes no memory before a timer comes: most modes have none that is far away.
  init(now: UInt64) { current = now >> Self.tickBits }

  deinit { unsafe slotMemory?.deallocate() }

  private var slots: UnsafeMutablePointer<Slot> {
    @inline(__always) get { unsafe slotMemory.unsafelyUnwrapped }
  }

  @inline(never)
  private mutating func allocate() {
    let count = Self.levels * Self.slotsPerLevel
    unsafe slotMemory = UnsafeMutablePointer.allocate(capacity: count)
    unsafe slotMemory!.initialize(repeating: Slot(), count: count)
  }

  /// Takes the timer in, unless it is due so soon that it belongs in the heap.
  @inline(__always)
  mutating func insert(_ link: TimerLink.Reference) -> Bool {
    let due = unsafe link.pointee.due
    let tick = due >> Self.tickBits
    guard tick > current else { return false }
    if unsafe slotMemory == nil { allocate() }
    let level = (63 &- (tick ^ current).leadingZeroBitCount) / 6
    let slot = Int(truncatingIfNeeded: tick &>> UInt64(truncatingIfNeeded: 6 &* level)) & 63
    let index = level &* Self.slotsPerLevel &+ slot
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
    let cell = unsafe slots + index
    let isFirst = occupied[level] & bit == 0
    if unsafe isFirst || due < cell.pointee.earliest {
      occupied[level] |= bit
      usedLevels |= 1 &<< UInt8(truncatingIfNeeded: level)
      inexact[level] &= ~bit
      unsafe cell.pointee.earliest = due
    }
    let list = unsafe Int(cell.pointee.turn & 3)
    unsafe cell.pointee.turn &+= 1
    let head = unsafe Self.address(ofHead: list, of: cell)
    let next = unsafe head.pointee
    unsafe link.pointee.next = next
    unsafe next?.pointee.back = Self.address(ofNext: link)
    unsafe link.pointee.back = head
    unsafe head.pointee = link
    unsafe link.pointee.position = UInt32(truncatingIfNeeded: index)
    unsafe link.pointee.place = .wheel
    return true
  }

  @inline(__always)
  mutating func remove(_ link: TimerLink.Reference) {
    let index = unsafe Int(link.pointee.position)
    let (level, bit) = (index &>> Self.levelBits, UInt64(1) &<< UInt64(truncatingIfNeeded: index))
    unsafe link.pointee.back?.pointee = link.pointee.next
    unsafe link.pointee.next?.pointee.back = link.pointee.back
    unsafe link.pointee.place = .none
    if unsafe slots[index].isEmpty {
      free(bit, of: level)
    } else if unsafe link.pointee.due == slots[index].earliest {
      inexact[level] |= bit
    }
  }

  @inline(__always)
  private mutating func free(_ bit: UInt64, of level: Int) {
    occupied[level] &= ~bit
    if occupied[level] == 0 { usedLevels &= ~(1 &<< UInt8(truncatingIfNeeded: level)) }
  }

  /// No timer is due before this; the earliest may be due later than it.
  @inline(__always)
  var lowerBound: UInt64 {
    guard let index = firstOccupied else { return .max }
    return unsafe slots[index].earliest
  }

  /// Whether the lower bound is the date of a timer.
  var isLowerBoundExact: Bool {
    guard let index = firstOccupied else { return true }
    return inexact[index / Self.slotsPerLevel] & (1 << UInt64(index % Self.slotsPerLevel)) == 0
  }

  private var firstOccupied: Int? {
    guard usedLevels != 0 else { return nil }
    let level = usedLevels.trailingZeroBitCount
    return level &* Self.slotsPerLevel &+ occupied[level].trailingZeroBitCount
  }

  /// Moves every timer whose tick has come by `now` into the heap.
  mutating func advance(to now: UInt64, into heap: inout TimerHeap) {
    let target = now >> Self.tickBits
    while let index = firstOccupied, base(of: index) <= target { empty(index, into: &heap) }
    if target > current { current = target }
  }

  /// Brings the first slot down until its earliest timer is in the heap, though its time has not come.
  mutating func bringFirstSlotDown(into heap: inout TimerHeap) {
    while heap.isEmpty, let index = firstOccupied { empty(index, into: &heap) }
  }

  /// The first tick of a slot.
  private func base(of index: Int) -> UInt64 {
    let level = UInt64(index / Self.slotsPerLevel)
    let above = 6 &* level &+ 6
    let prefix = above >= 64 ? 0 : (current >> above) << above
    return prefix | UInt64(index % Self.slotsPerLevel) << (6 &* level)
  }

  private mutating func empty(_ index: Int, into heap: inout TimerHeap) {
    current = max(current, base(of: index))
    free(1 &<< UInt64(index % Self.slotsPerLevel), of: index / Self.slotsPerLevel)
    // Taken out first. What moves down comes to other slots of this wheel, never to the same.
    var heads = unsafe slots[index].heads
    unsafe slots[index].heads = unsafe .init(repeating: nil)
    var isDone = false
    while !isDone {
      isDone = true
      for list in 0..<4 {
        guard let moved = unsafe heads[list] else { continue }
        isDone = false
        let next = unsafe moved.pointee.next
        unsafe heads[list] = unsafe next
        unsafe ms_prefetch(next)
        unsafe moved.pointee.place = .none
        if unsafe !insert(moved) { unsafe heap.insert(moved) }
      }
    }
  }

  @inline(__always)
  private static func address(
    ofNext link: TimerLink.Reference
  ) -> UnsafeMutablePointer<TimerLink.Reference?> {
    // SAFETY: a stored property's address inside memory that does not move.
    unsafe withUnsafeMutablePointer(to: &link.pointee.next) { unsafe $0 }
  }

  @inline(__always)
  private static func address(
    ofHead list: Int, of slot: UnsafeMutablePointer<Slot>
  ) -> UnsafeMutablePointer<TimerLink.Reference?> {
    // SAFETY: as above; the heads are the slot's first four words.
    unsafe UnsafeMutableRawPointer(slot).assumingMemoryBound(to: TimerLink.Reference?.self) + list
  }
}
