/// One timer's place in one timer queue.
///
/// Links live in memory of their own, so that a queue can be made of them without touching the timers.
/// Only on the loop's thread.
@unsafe struct TimerLink {
  typealias Reference = UnsafeMutablePointer<TimerLink>

  /// When it is due, ns, on the queue's clock.
  var due: UInt64 = .max
  /// The order of arming: among equal dates the smaller goes first.
  var sequence: UInt64 = 0
  // In a wheel slot, a list: the next, and where the pointer to this one stands.
  var next: Reference?
  var back: UnsafeMutablePointer<Reference?>?
  /// In the heap its index, in the wheel its slot.
  var position: UInt32 = 0
  var place = Place.none
  unowned(unsafe) let timer: RunLoop.Timer
  /// How much later than `due` it may fire, ns.
  var tolerance: UInt64 = 0
  /// With a tolerance, the link that stands by the latest date; owned by this one.
  private(set) var latest: Reference?

  enum Place: UInt8 { case none, heap, wheel, batch }

  init(timer: RunLoop.Timer) { unsafe self.timer = timer }

  @inline(__always)
  static func isBefore(_ a: Reference, _ b: Reference) -> Bool {
    if unsafe a.pointee.due != b.pointee.due { return unsafe a.pointee.due < b.pointee.due }
    return unsafe a.pointee.sequence < b.pointee.sequence
  }

  static func make(for timer: RunLoop.Timer, tolerance: UInt64) -> Reference {
    let link = Reference.allocate(capacity: 1)
    unsafe link.initialize(to: TimerLink(timer: timer))
    unsafe setTolerance(tolerance, of: link)
    return unsafe link
  }

  /// Only while it is in no store.
  static func setTolerance(_ tolerance: UInt64, of link: Reference) {
    unsafe link.pointee.tolerance = tolerance
    if tolerance > 0, unsafe link.pointee.latest == nil {
      let latest = Reference.allocate(capacity: 1)
      unsafe latest.initialize(to: TimerLink(timer: link.pointee.timer))
      unsafe link.pointee.latest = latest
    } else if tolerance == 0, let latest = unsafe link.pointee.latest {
      unsafe latest.deinitialize(count: 1)
      unsafe latest.deallocate()
      unsafe link.pointee.latest = nil
    }
  }

  /// Only while it is in no store.
  static func free(_ link: Reference) {
    unsafe setTolerance(0, of: link)
    unsafe link.deinitialize(count: 1)
    unsafe link.deallocate()
  }
}
