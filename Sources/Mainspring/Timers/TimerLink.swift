/// One timer's place in one timer queue.
///
/// Links live in memory of their own, so that a queue can be made of them without touching the timers.
/// Only on the loop's thread.
@unsafe struct TimerLink {
  typealias Reference = UnsafeMutablePointer<TimerLink>

  /// When it is due, ns, monotonic.
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

  enum Place: UInt8 { case none, heap, wheel, batch }

  init(timer: RunLoop.Timer) { unsafe self.timer = timer }
}
