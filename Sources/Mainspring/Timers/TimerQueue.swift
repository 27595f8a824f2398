/// The armed timers of one mode and clock: those without a tolerance in one store, those with one beside them, so that
/// the former do not pay for the latter.
///
/// Whatever wakes the loop from a timer's date on fires it; the loop has to be awake at the latest date.
///
/// Only on the loop's thread.
@safe final class TimerQueue {
  @safe @exclusivity(unchecked) private var exact: TimerStore
  @safe @exclusivity(unchecked) private var tolerant = TolerantStores()
  /// How many timers are armed here, those of the batch that is being served included.
  @safe @exclusivity(unchecked) private(set) var count = 0
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
    let index = unsafe link.pointee.tolerantStore
    if index == TolerantStores.none {
      unsafe exact.insert(link)
    } else {
      unsafe tolerant.insert(link, into: index)
    }
  }

  /// Says how much later than its date a timer may fire from its next arming on, ns. Only while it is in no store.
  func setTolerance(_ tolerance: UInt64, of link: TimerLink.Reference) {
    let index = tolerance == 0 ? nil : tolerant.index(of: tolerance, now: begin)
    unsafe link.pointee.tolerantStore = index ?? TolerantStores.none
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
    let index = unsafe link.pointee.tolerantStore
    if index == TolerantStores.none {
      unsafe exact.remove(link)
    } else {
      unsafe tolerant.remove(link, from: index)
    }
  }

  /// No timer may fire before this.
  @inline(__always)
  var lowerBound: UInt64 {
    if count == 0 { return .max }
    return tolerant.count == 0 ? exact.lowerBound : min(exact.lowerBound, tolerant.lowerBound)
  }

  /// When the loop has to be awake for the timers at the latest, or the largest number.
  func nextWake() -> UInt64 {
    tolerant.count == 0 ? exact.nextDue() : min(exact.nextDue(), tolerant.nextWake())
  }

  /// Brings every timer that may fire at `now` within reach of `firstDue`.
  func advance(to now: UInt64) {
    exact.advance(to: now)
    tolerant.advance(to: now)
  }

  /// The earliest of those within reach, if its date has come.
  @inline(__always)
  func firstDue(at now: UInt64) -> TimerLink.Reference? {
    guard tolerant.count > 0, let other = unsafe tolerant.firstDue(at: now) else {
      return unsafe exact.firstDue(at: now)
    }
    guard let link = unsafe exact.firstDue(at: now) else { return unsafe other }
    return unsafe TimerLink.isBefore(link, other) ? link : other
  }

  /// Takes those that are due at `now` out for the batch, in fire order, until it holds `limit`.
  func takeDue(
    at now: UInt64, into batch: inout ContiguousArray<Unmanaged<RunLoop.Timer>>, atMost limit: Int
  ) {
    while unsafe batch.count < limit, let link = unsafe firstDue(at: now) {
      unsafe moveToBatch(link)
      // SAFETY: links in a queue are live, and so are their timers: the scope keeps them.
      let timer = unsafe TimerLink.timer(of: link)
      unsafe timer._withUnsafeGuaranteedRef { $0.fetchAhead() }
      unsafe batch.append(timer)
    }
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
