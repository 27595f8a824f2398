/// A timer's places in the queues of its modes: one for nearly every timer, more for the others.
///
/// Only on the loop's thread.
@safe struct TimerLinks {
  // SAFETY: a link is allocated when its timer enters a scope and freed after it left the scope's queue; the
  // queue is the scope's and outlives that, since a scope lives as long as its loop and the loop detaches
  // every item before it ends.
  @unsafe private struct Place {
    let link: TimerLink.Reference
    unowned(unsafe) let queue: TimerQueue
    unowned(unsafe) let scope: Scope
  }

  private var first: Place?
  private var others: [Place] = unsafe []

  @inline(__always)
  func arm(at date: UInt64) {
    guard let place = unsafe first else { return }
    unsafe Self.arm(place, at: date)
    if unsafe !others.isEmpty { armOthers(at: date) }
  }

  private func armOthers(at date: UInt64) {
    for index in unsafe others.indices { unsafe Self.arm(others[index], at: date) }
  }

  @inline(__always)
  private static func arm(_ place: Place, at date: UInt64, sequence: UInt64? = nil) {
    unsafe place.queue.remove(place.link)
    guard date != .max else { return }
    unsafe place.queue.insert(place.link, due: date, sequence: sequence ?? place.scope.takeSequence())
  }

  func disarm() { arm(at: .max) }

  mutating func insert(
    for timer: RunLoop.Timer, in scope: Scope, armedAt date: UInt64, tolerance: UInt64, sequence: UInt64?
  ) {
    let place = unsafe Place(
      link: TimerLink.make(for: timer, tolerance: tolerance), queue: scope.timers(on: timer.clock),
      scope: scope)
    if unsafe first == nil { unsafe first = place } else { unsafe others.append(place) }
    unsafe Self.arm(place, at: date, sequence: sequence)
  }

  mutating func remove(from scope: Scope) {
    if let place = unsafe first, unsafe place.scope === scope {
      unsafe first = others.popLast()
      unsafe Self.free(place)
    } else if let index = unsafe others.firstIndex(where: { unsafe $0.scope === scope }) {
      unsafe Self.free(others.remove(at: index))
    }
  }

  func isInBatch(of scope: Scope) -> Bool {
    guard let place = unsafe held(in: scope) else { return false }
    return unsafe place.link.pointee.place == .batch
  }

  private func held(in scope: Scope) -> Place? {
    if let place = unsafe first, unsafe place.scope === scope { return unsafe place }
    for index in unsafe others.indices where unsafe others[index].scope === scope {
      return unsafe others[index]
    }
    return nil
  }

  /// The order of arming, if it is armed there, and whether it is in the batch.
  func place(in scope: Scope) -> RunLoop.Item.Place {
    guard let place = unsafe held(in: scope), unsafe place.link.pointee.place != .none else {
      return RunLoop.Item.Place()
    }
    return unsafe RunLoop.Item.Place(
      sequence: place.link.pointee.sequence, isInBatch: place.link.pointee.place == .batch)
  }

  /// Takes an armed timer into the batch.
  func joinBatch(of scope: Scope) {
    guard let place = unsafe held(in: scope), unsafe place.link.pointee.place != .none else { return }
    unsafe place.queue.joinBatch(place.link)
  }

  func leaveBatch() {
    if let place = unsafe first, unsafe place.link.pointee.place == .batch {
      unsafe place.queue.moveFromBatch(place.link)
    }
    for index in unsafe others.indices where unsafe others[index].link.pointee.place == .batch {
      unsafe others[index].queue.moveFromBatch(others[index].link)
    }
  }

  /// Puts every place where the tolerance wants it; what the batch holds stays there.
  func setTolerance(_ tolerance: UInt64) {
    if let place = unsafe first { unsafe Self.setTolerance(tolerance, of: place) }
    for index in unsafe others.indices { unsafe Self.setTolerance(tolerance, of: others[index]) }
  }

  private static func setTolerance(_ tolerance: UInt64, of place: Place) {
    let link = unsafe place.link
    switch unsafe link.pointee.place {
    case .none, .batch: unsafe TimerLink.setTolerance(tolerance, of: link)
    case .heap, .wheel:
      unsafe place.queue.remove(link)
      unsafe TimerLink.setTolerance(tolerance, of: link)
      unsafe place.queue.insert(link, due: link.pointee.due, sequence: link.pointee.sequence)
    }
  }

  private static func free(_ place: Place) {
    unsafe place.queue.remove(place.link)
    unsafe TimerLink.free(place.link)
  }

  /// Frees what is left when the timer goes. Nothing is, unless its loop went without ending.
  mutating func free() {
    unsafe precondition(first == nil, "a timer went while it was in a mode")
  }
}
