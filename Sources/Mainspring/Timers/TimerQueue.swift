/// The armed timers of one mode: the near ones in a heap, the far ones in a wheel.
///
/// Only on the loop's thread.
@safe final class TimerQueue {
  @safe @exclusivity(unchecked) private var heap = TimerHeap()
  @safe @exclusivity(unchecked) private var wheel: TimerWheel
  /// How many timers are armed here, those of the batch that is being served included.
  @safe @exclusivity(unchecked) private(set) var count = 0

  init(now: UInt64) { wheel = TimerWheel(now: now) }

  /// Arms: O(1) if it is due later than the current tick, O(log n) otherwise.
  @inline(__always)
  func insert(_ link: TimerLink.Reference, due: UInt64, sequence: UInt64) {
    unsafe precondition(link.pointee.place == .none, "the timer is armed already")
    unsafe link.pointee.due = due
    unsafe link.pointee.sequence = sequence
    unsafe place(link)
    count &+= 1
  }

  @inline(__always)
  private func place(_ link: TimerLink.Reference) {
    if unsafe !wheel.insert(link) { unsafe heap.insert(link) }
  }

  /// Disarms, wherever the timer is; nothing if it is not armed.
  @inline(__always)
  func remove(_ link: TimerLink.Reference) {
    switch unsafe link.pointee.place {
    case .none: return
    case .heap: unsafe heap.remove(link)
    case .wheel: unsafe wheel.remove(link)
    case .batch: unsafe link.pointee.place = .none
    }
    count &-= 1
  }

  /// No timer is due before this.
  @inline(__always)
  var lowerBound: UInt64 { heap.isEmpty ? wheel.lowerBound : heap.firstDue }

  /// The date of the earliest timer, or the largest number.
  ///
  /// - Complexity: O(1) amortised: what it moves towards the heap would have to move there anyway.
  func nextDue() -> UInt64 {
    if heap.isEmpty, !wheel.isLowerBoundExact { wheel.bringFirstSlotDown(into: &heap) }
    return lowerBound
  }

  /// Brings every timer that is due at `now` within reach of `firstDue`.
  func advance(to now: UInt64) { wheel.advance(to: now, into: &heap) }

  /// The earliest of those within reach, if it is due.
  @inline(__always)
  func firstDue(at now: UInt64) -> TimerLink.Reference? {
    guard heap.firstDue <= now else { return nil }
    return unsafe heap.first
  }

  /// Takes a due timer out for the batch; it counts as armed until it fires or is disarmed.
  func moveToBatch(_ link: TimerLink.Reference) {
    unsafe heap.remove(link)
    unsafe link.pointee.place = .batch
  }

  /// Takes an armed timer out for the batch, wherever it is.
  func joinBatch(_ link: TimerLink.Reference) {
    unsafe remove(link)
    unsafe link.pointee.place = .batch
    count &+= 1
  }

  /// Puts a timer that the batch did not get to back in its place.
  func moveFromBatch(_ link: TimerLink.Reference) {
    unsafe precondition(link.pointee.place == .batch, "not in a batch")
    unsafe link.pointee.place = .none
    unsafe place(link)
  }
}
