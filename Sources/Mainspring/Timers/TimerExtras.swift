import Synchronization

extension RunLoop.Timer {
  /// What few timers have: a tolerance, dates from other threads, more modes than one.
  @safe final class Extras: RunLoop.ItemExtras, @unchecked Sendable {
    // Sendable: atomic, or the loop's thread's.

    /// How much later than its date it may fire, ns.
    let tolerance = Atomic<UInt64>(0)
    /// How many dates other threads have sent that the loop has not looked at: what its own thread sets now must stand
    /// over them.
    let datesInMail = Atomic<UInt32>(0)
    /// The places in modes but the first, in the order of coming.
    @exclusivity(unchecked) var further: [Further] = unsafe []

    @unsafe struct Further {
      let link: TimerLink.Reference
      unowned(unsafe) let scope: Scope
    }

    deinit { unsafe precondition(further.isEmpty, "a timer went while it was in a mode") }
  }
}
