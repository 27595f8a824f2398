import Synchronization

/// The armed timers of one mode and clock.
///
/// A timer without tolerance stands in one store, by its date. One with tolerance stands in two, by its date, from
/// which on it may fire, and by the latest date at which the loop has to be awake for it: whatever wakes the loop in
/// between fires it, too, and a latest date fires every neighbour whose own has begun. Timers without tolerance do not
/// pay for the others.
///
/// Only on the loop's thread.
@safe final class TimerQueue {
  @safe @exclusivity(unchecked) private var exact: TimerStore
  @safe @exclusivity(unchecked) private var tolerant: Tolerant?
  /// How many timers are armed here, those of the batch that is being served included.
  @safe @exclusivity(unchecked) private(set) var count = 0

  private final class Tolerant {
    @safe @exclusivity(unchecked) var byDate: TimerStore
    @safe @exclusivity(unchecked) var byLatestDate: TimerStore

    init(now: UInt64) {
      byDate = TimerStore(now: now)
      byLatestDate = TimerStore(now: now)
    }
  }

  private let begin: UInt64

  init(now: UInt64) {
    begin = now
    exact = TimerStore(now: now)
  }

  /// Moves a timer to another date, from wherever it is; the largest number is none.
  @inline(__always)
  func rearm(_ link: TimerLink.Reference, due: UInt64, sequence: @autoclosure () -> UInt64) {
    unsafe remove(link)
    unsafe link.pointee.due = due
    if due != .max { unsafe insert(link, sequence: sequence()) }
  }

  /// Arms for the link's date: O(1) if it is due later than the current tick, O(log n) otherwise.
  @inline(__always)
  func insert(_ link: TimerLink.Reference, sequence: UInt64) {
    unsafe precondition(link.pointee.place == .none, "the timer is armed already")
    unsafe link.pointee.sequence = sequence
    unsafe place(link)
    count &+= 1
  }

  @inline(__always)
  private func place(_ link: TimerLink.Reference) {
    if unsafe link.pointee.traits.contains(.tolerant) {
      unsafe placeTolerant(link)
    } else {
      unsafe exact.insert(link)
    }
  }

  @inline(never)
  private func placeTolerant(_ link: TimerLink.Reference) {
    let stores = tolerant ?? Tolerant(now: begin)
    tolerant = stores
    let (tolerance, latest) = unsafe Self.latest(for: link)
    let (date, overflow) = unsafe link.pointee.due.addingReportingOverflow(tolerance)
    unsafe latest.pointee.due = overflow ? .max : date
    unsafe latest.pointee.sequence = link.pointee.sequence
    unsafe stores.byDate.insert(link)
    unsafe stores.byLatestDate.insert(latest)
  }

  /// A tolerant link's tolerance, and the link that stands by its latest date.
  private static func latest(
    for link: TimerLink.Reference
  ) -> (tolerance: UInt64, link: TimerLink.Reference) {
    unsafe TimerLink.timer(of: link)._withUnsafeGuaranteedRef { timer in
      let extras = timer.timerExtras
      // SAFETY: the trait and the second link come and go together.
      return unsafe (extras.tolerance.load(ordering: .relaxed), extras.latest(for: link)!)
    }
  }

  /// Disarms, wherever the timer is; nothing if it is not armed.
  @inline(__always)
  func remove(_ link: TimerLink.Reference) {
    switch unsafe link.pointee.place {
    case .none: return
    case .heap, .wheel: unsafe takeOut(link)
    case .batch: unsafe link.pointee.place = .none
    }
    count &-= 1
  }

  @inline(__always)
  private func takeOut(_ link: TimerLink.Reference) {
    if unsafe link.pointee.traits.contains(.tolerant) {
      unsafe takeOutTolerant(link)
    } else {
      unsafe exact.remove(link)
    }
  }

  @inline(never)
  private func takeOutTolerant(_ link: TimerLink.Reference) {
    guard let tolerant else { preconditionFailure("a tolerant timer is armed in no store") }
    unsafe tolerant.byDate.remove(link)
    unsafe tolerant.byLatestDate.remove(Self.latest(for: link).link)
  }

  /// No timer may fire before this.
  @inline(__always)
  var lowerBound: UInt64 {
    guard let tolerant else { return exact.lowerBound }
    return min(exact.lowerBound, tolerant.byDate.lowerBound)
  }

  /// When the loop has to be awake for the timers at the latest, or the largest number.
  func nextWake() -> UInt64 {
    guard let tolerant else { return exact.nextDue() }
    return min(exact.nextDue(), tolerant.byLatestDate.nextDue())
  }

  /// Brings every timer that may fire at `now` within reach of `firstDue`.
  func advance(to now: UInt64) {
    exact.advance(to: now)
    guard let tolerant else { return }
    tolerant.byDate.advance(to: now)
    tolerant.byLatestDate.advance(to: now)
  }

  /// The earliest of those within reach, if its date has come.
  @inline(__always)
  func firstDue(at now: UInt64) -> TimerLink.Reference? {
    guard let tolerant, let other = unsafe tolerant.byDate.firstDue(at: now) else {
      return unsafe exact.firstDue(at: now)
    }
    guard let link = unsafe exact.firstDue(at: now) else { return unsafe other }
    return unsafe TimerLink.isBefore(link, other) ? link : other
  }

  /// Takes a due timer out for the batch; it counts as armed until it fires or is disarmed.
  func moveToBatch(_ link: TimerLink.Reference) {
    unsafe takeOut(link)
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
