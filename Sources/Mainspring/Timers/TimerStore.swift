/// Timers in the order of one date each: the near ones in a heap, the far ones in a wheel.
///
/// Only on the loop's thread.
@safe struct TimerStore: ~Copyable {
  private var heap = TimerHeap()
  private var wheel: TimerWheel

  init(now: UInt64) { wheel = TimerWheel(now: now) }

  /// O(1) if it is due later than the current tick, O(log n) otherwise.
  @inline(__always)
  mutating func insert(_ link: TimerLink.Reference) {
    if unsafe !wheel.insert(link) { unsafe heap.insert(link) }
  }

  /// Takes a timer out that is in the heap or the wheel.
  @inline(__always)
  mutating func remove(_ link: TimerLink.Reference) {
    if unsafe link.pointee.place == .heap { unsafe heap.remove(link) } else { unsafe wheel.remove(link) }
  }

  /// No date is earlier than this.
  @inline(__always)
  var lowerBound: UInt64 { heap.isEmpty ? wheel.lowerBound : heap.firstDue }

  /// The earliest date, or the largest number.
  ///
  /// - Complexity: O(1) amortised: what it moves towards the heap would have to move there anyway.
  mutating func nextDue() -> UInt64 {
    if heap.isEmpty, !wheel.isLowerBoundExact { wheel.bringFirstSlotDown(into: &heap) }
    return lowerBound
  }

  /// Brings every timer that is due at `now` within reach of `firstDue`.
  mutating func advance(to now: UInt64) { wheel.advance(to: now, into: &heap) }

  /// The earliest of those within reach, if it is due.
  @inline(__always)
  func firstDue(at now: UInt64) -> TimerLink.Reference? {
    guard heap.firstDue <= now else { return nil }
    return unsafe heap.first
  }
}
