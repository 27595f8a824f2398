import Synchronization

/// One timer's place in one timer queue.
///
/// The first of a timer's links lies in the timer itself, so that nearly every timer is one piece of memory; those for
/// further modes lie in memory of their own. Only on the loop's thread, but for
/// the date.
@unsafe struct TimerLink: ~Copyable {
  typealias Reference = UnsafeMutablePointer<TimerLink>

  /// When it is due, ns, on the queue's clock; the largest number while the timer has no date. Any thread.
  let dueWord: Atomic<UInt64>
  /// The order of arming: among equal dates the smaller goes first.
  var sequence: UInt64 = 0
  // In a wheel slot, a list: the next, and where the pointer to this one stands.
  var next: Reference?
  var back: UnsafeMutablePointer<Reference?>?
  /// In the heap its index, in the wheel its slot.
  var position: UInt32 = 0
  var place = Place.none
  var traits: Traits
  /// The queue's store for its timer's tolerance.
  var tolerantStore = TolerantStores.none

  struct Traits: OptionSet {
    let rawValue: UInt8
    /// It lies in memory of its own, as the first part of a `FurtherTimerLink`.
    static let further = Traits(rawValue: 1)
    /// It is the one in the timer, which has others beside it.
    static let oneOfSeveral = Traits(rawValue: 2)
  }

  enum Place: UInt8 { case none, heap, wheel, batch }

  init(due: UInt64, traits: Traits = []) {
    unsafe dueWord = Atomic(due)
    unsafe self.traits = traits
  }

  @inline(__always)
  var due: UInt64 {
    get { unsafe dueWord.load(ordering: .relaxed) }
    nonmutating set { unsafe dueWord.store(newValue, ordering: .relaxed) }
  }

  @inline(__always)
  static func isBefore(_ a: Reference, _ b: Reference) -> Bool {
    let (dueA, dueB) = unsafe (a.pointee.due, b.pointee.due)
    return unsafe dueA != dueB ? dueA < dueB : a.pointee.sequence < b.pointee.sequence
  }

  /// Whose it is.
  @inline(__always)
  static func timer(of link: Reference) -> Unmanaged<RunLoop.Timer> {
    if unsafe link.pointee.traits.contains(.further) {
      return unsafe FurtherTimerLink.of(link).pointee.timer
    }
    // SAFETY: a link without that trait lies in its timer, at the same distance in each.
    return unsafe Unmanaged.fromOpaque(UnsafeRawPointer(link) - RunLoop.Timer.linkOffset)
  }
}

/// A link in memory of its own: with whose it is, and what it stands in.
@unsafe struct FurtherTimerLink: ~Copyable {
  typealias Reference = UnsafeMutablePointer<FurtherTimerLink>

  // SAFETY: the first member, so that the address of one is that of the other.
  var link: TimerLink
  let timer: Unmanaged<RunLoop.Timer>

  static func make(for timer: RunLoop.Timer, due: UInt64) -> TimerLink.Reference {
    let made = Reference.allocate(capacity: 1)
    unsafe made.initialize(
      to: FurtherTimerLink(
        link: TimerLink(due: due, traits: .further), timer: Unmanaged.passUnretained(timer)))
    return unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(to: TimerLink.self)
  }

  static func of(_ link: TimerLink.Reference) -> Reference {
    unsafe UnsafeMutableRawPointer(link).assumingMemoryBound(to: FurtherTimerLink.self)
  }

  /// Only while it is in no store.
  static func free(_ link: TimerLink.Reference) {
    unsafe of(link).deinitialize(count: 1)
    unsafe of(link).deallocate()
  }
}
