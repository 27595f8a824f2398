import Synchronization

// A timer's places in the queues of its modes: one, in the timer itself, for nearly every timer; more for the others.
// Only on the loop's thread, where nothing else is said.
extension RunLoop.Timer {
  /// What few timers have; made at the first use. Any thread.
  var timerExtras: Extras {
    // SAFETY: a timer makes extras of this class alone.
    unsafe unsafeDowncast(extras, to: Extras.self)
  }

  @inline(__always)
  private var timerExtrasIfAny: Extras? { hasExtras ? timerExtras : nil }

  /// Any thread.
  var toleranceNanoseconds: UInt64 { timerExtrasIfAny?.tolerance.load(ordering: .relaxed) ?? 0 }

  /// Whether another thread has set a date that the loop has not taken in. Any thread.
  @inline(__always)
  var hasDatesInMail: Bool { hasExtras && timerExtras.datesInMail.load(ordering: .relaxed) != 0 }

  // MARK: arming

  /// Gives it another date, in all its modes; the largest number is none.
  @inline(__always)
  func arm(at date: UInt64, on loop: RunLoop) {
    guard !isSpecial else { return armEverywhere(at: date, on: loop) }
    guard let mode = firstMode else { return due = date }
    let queue = unsafe loop.timerQueue(of: mode)
    unsafe queue._withUnsafeGuaranteedRef {
      unsafe $0.rearm(ownLink, due: date, sequence: loop.takeSequence())
    }
  }

  /// Whether it is in several modes, or on another clock than the monotonic.
  @inline(__always)
  private var isSpecial: Bool { unsafe ownLink.pointee.traits.contains(.oneOfSeveral) || clock != .monotonic }

  @inline(never)
  private func armEverywhere(at date: UInt64, on loop: RunLoop) {
    unsafe forEachPlace(on: loop) { queue, link in
      unsafe queue.rearm(link, due: date, sequence: loop.takeSequence())
    }
    due = date
  }

  /// Takes it out of its queues; it keeps its date.
  @inline(__always)
  func disarm(on loop: RunLoop) {
    guard !isSpecial else {
      return unsafe forEachPlace(on: loop) { queue, link in unsafe queue.remove(link) }
    }
    guard let mode = firstMode else { return }
    let queue = unsafe loop.timerQueue(of: mode)
    unsafe queue._withUnsafeGuaranteedRef { unsafe $0.remove(ownLink) }
  }

  @inline(never)
  private func forEachPlace(on loop: RunLoop, _ body: (TimerQueue, TimerLink.Reference) -> Void) {
    guard let firstMode else { return }
    unsafe body(loop.scope(of: firstMode).timers(on: clock), ownLink)
    guard let extras = timerExtrasIfAny else { return }
    for index in unsafe extras.further.indices {
      let place = unsafe extras.further[index]
      unsafe body(place.scope.timers(on: clock), place.link)
    }
  }

  // MARK: the batch of a pass

  /// Whether it was found due in a mode, or in the common modes, and not taken back.
  @inline(__always)
  func isInBatch(seenBy view: ModeView) -> Bool {
    if let link = unsafe link(in: view.own), unsafe link.pointee.place == .batch { return true }
    guard let common = view.common, let link = unsafe link(in: common) else { return false }
    return unsafe link.pointee.place == .batch
  }

  /// Goes back to its place in the queue: the round that it was taken for is off.
  func leaveBatch(on loop: RunLoop) {
    unsafe forEachPlace(on: loop) { queue, link in
      if unsafe link.pointee.place == .batch { unsafe queue.moveFromBatch(link) }
    }
  }

  /// It was in the batch of the mode alone and is seen through the common modes from now on.
  func joinBatch(of scope: Scope) {
    guard let link = unsafe link(in: scope), unsafe link.pointee.place != .none else { return }
    unsafe scope.timers(on: clock).joinBatch(link)
  }

  // MARK: modes

  /// Its link in the queue of a mode that it is in.
  @inline(__always)
  func link(in scope: Scope) -> TimerLink.Reference? {
    if firstMode == scope.mode { return unsafe ownLink }
    guard let extras = timerExtrasIfAny else { return nil }
    return unsafe extras.further.first { unsafe $0.scope === scope }?.link
  }

  /// It came into a mode; there it is armed, unless it fires just now: its end will see to that.
  func attach(to scope: Scope, keeping place: Place?) {
    let link: TimerLink.Reference
    if firstMode == scope.mode {
      unsafe link = unsafe ownLink
    } else {
      unsafe link = FurtherTimerLink.make(for: self, due: due)
      unsafe timerExtras.further.append(Extras.Further(link: link, scope: scope))
      unsafe ownLink.pointee.traits.insert(.oneOfSeveral)
    }
    let queue = scope.timers(on: clock)
    if hasExtras { unsafe queue.setTolerance(toleranceNanoseconds, of: link) }
    guard !isFiring, due != .max else { return }
    unsafe queue.insert(link, sequence: place?.sequence ?? scope.takeSequence())
    if place?.isInBatch ?? false { joinBatch(of: scope) }
  }

  /// It left a mode.
  func detach(from scope: Scope, of loop: RunLoop) {
    let queue = scope.timers(on: clock)
    guard let extras = timerExtrasIfAny, unsafe !extras.further.isEmpty else {
      return unsafe queue.remove(ownLink)
    }
    if let index = unsafe extras.further.firstIndex(where: { unsafe $0.scope === scope }) {
      unsafe queue.remove(extras.further[index].link)
      unsafe free(extras.further.remove(at: index))
    } else {
      // The first mode: the last of the others takes its place, with the link in the timer.
      unsafe queue.remove(ownLink)
      unsafe moveToOwnLink(extras.further.removeLast())
    }
    if unsafe extras.further.isEmpty { unsafe ownLink.pointee.traits.remove(.oneOfSeveral) }
  }

  private func moveToOwnLink(_ place: Extras.Further) {
    let queue = unsafe place.scope.timers(on: clock)
    let (held, sequence) = unsafe (place.link.pointee.place, place.link.pointee.sequence)
    unsafe queue.remove(place.link)
    unsafe free(place)
    unsafe queue.setTolerance(toleranceNanoseconds, of: ownLink)
    guard held != .none else { return }
    unsafe queue.insert(ownLink, sequence: sequence)
    if held == .batch { unsafe queue.joinBatch(ownLink) }
  }

  private func free(_ place: Extras.Further) { unsafe FurtherTimerLink.free(place.link) }

  // MARK: tolerance

  /// Puts every place where the tolerance wants it; what the batch holds stays there.
  func refreshTolerance() {
    guard let loop else { return }
    let tolerance = toleranceNanoseconds
    unsafe forEachPlace(on: loop) { queue, link in
      switch unsafe link.pointee.place {
      case .none, .batch: unsafe queue.setTolerance(tolerance, of: link)
      case .heap, .wheel:
        unsafe queue.remove(link)
        unsafe queue.setTolerance(tolerance, of: link)
        unsafe queue.insert(link, sequence: link.pointee.sequence)
      }
    }
  }
}
