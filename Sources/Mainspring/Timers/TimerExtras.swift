import Synchronization

extension RunLoop.Timer {
  /// What few timers have: a tolerance, dates from other threads, more modes than one.
  @safe final class Extras: RunLoop.ItemExtras, @unchecked Sendable {
    // Sendable: atomic, or the loop's thread's: the links, and `latest`.
    // SAFETY: links that are held here are freed here, once they are in no queue.

    /// How much later than its date it may fire, ns.
    let tolerance = Atomic<UInt64>(0)
    /// How many dates other threads have sent that the loop has not looked at: what its own thread sets now must stand
    /// over them.
    let datesInMail = Atomic<UInt32>(0)
    /// The link that stands by the latest date for the timer's own.
    @exclusivity(unchecked) var latest: TimerLink.Reference?
    /// The places in modes but the first, in the order of coming.
    @exclusivity(unchecked) var further: [Further] = unsafe []

    @unsafe struct Further {
      let link: TimerLink.Reference
      /// The link that stands by the latest date for it.
      var latest: TimerLink.Reference?
      unowned(unsafe) let scope: Scope
    }

    /// The link that stands by the latest date for another.
    func latest(for link: TimerLink.Reference) -> TimerLink.Reference? {
      guard unsafe link.pointee.traits.contains(.further) else { return unsafe latest }
      return unsafe further.first { unsafe $0.link == link }?.latest
    }

    func setLatest(_ newLatest: TimerLink.Reference?, for link: TimerLink.Reference) {
      if unsafe !link.pointee.traits.contains(.further) {
        unsafe latest = unsafe newLatest
      } else if let index = unsafe further.firstIndex(where: { unsafe $0.link == link }) {
        unsafe further[index].latest = unsafe newLatest
      }
    }

    deinit {
      unsafe precondition(further.isEmpty, "a timer went while it was in a mode")
      if let latest = unsafe latest { unsafe FurtherTimerLink.free(latest) }
    }
  }
}
