extension RunLoop {
  /// A gesture that a ``Gestures`` looks for: what others are told to wait for, and what ends the search.
  public class Recognition: @unchecked Sendable {
    // Sendable: used on the loop's thread alone, and before there is a loop by its maker.
    final let isAlongside: Bool
    final let mode: Mode?
    private final let prerequisites: [Recognition]
    @safe @exclusivity(unchecked) final weak var gestures: Gestures?
    /// Which contacts it has seen something of since it was new; nil while it is.
    @safe @exclusivity(unchecked) private(set) final var contacts: ClosedRange<UInt64>?
    /// Contacts up to this one are another gesture's.
    @safe @exclusivity(unchecked) private final var lostContact: UInt64 = 0
    @safe @exclusivity(unchecked) private final var fingersDown: Set<Int> = []
    /// What it is given once those have failed that it waits for.
    @safe @exclusivity(unchecked) private final var heldBack: [Contact] = []
    /// It went on, and that was not told yet.
    @safe @exclusivity(unchecked) private final var hasNews = false

    /// A touch, and which contact it belongs to: from the first finger that comes down to the last that is lifted.
    struct Contact {
      let touch: Touch
      let number: UInt64
    }

    init(alongside: Bool, unless prerequisites: [Recognition], mode: Mode?) {
      isAlongside = alongside
      self.prerequisites = prerequisites
      self.mode = mode
    }

    /// Looks for it no more. One that has begun is cancelled, and tells so. Only on the loop's thread.
    public final func remove() { gestures?.remove(self) }

    // What its recogniser does.
    var state: GestureState { .failed }
    var recognizerDeadline: Instant? { nil }
    func take(_ touch: Touch) {}
    func pass(to now: Instant) {}
    func cancel() {}
    func reset() {}
    func tell() {}

    /// Whether it may yet become one of what it has seen.
    private final var isUndecided: Bool { contacts != nil && state == .possible }
    private final var waits: Bool { prerequisites.contains { $0.isUndecided } }
    final func waits(for other: Recognition) -> Bool { prerequisites.contains { $0 === other } }
    final var deadline: Instant? { waits ? nil : recognizerDeadline }

    // MARK: what comes

    final func receive(_ contact: Contact) {
      guard contact.number > lostContact else { return }
      heldBack.append(contact)
      releaseHeldBack()
    }

    /// Gives it what it was not given, if nobody is waited for any more.
    final func releaseHeldBack() {
      while !heldBack.isEmpty, !waits {
        let next = heldBack.removeFirst()
        reach(next.touch.time)
        give(next)
      }
    }

    private final func give(_ next: Contact) {
      contacts = (contacts?.lowerBound ?? next.number)...next.number
      if next.touch.phase == .began {
        fingersDown.insert(next.touch.finger)
      } else if next.touch.phase != .moved {
        fingersDown.remove(next.touch.finger)
      }
      step { $0.take(next.touch) }
      // Nothing can come any more, and others may be waiting for it.
      if contacts != nil, fingersDown.isEmpty, !state.isOver, recognizerDeadline == nil {
        step { $0.cancel() }
      }
    }

    /// Lets the time pass, from deadline to deadline.
    final func reach(_ time: Instant) {
      while let date = deadline, date <= time {
        step { $0.pass(to: date) }
        // One that asks for the same date for ever would keep the loop awake for ever.
        if recognizerDeadline == date {
          step { $0.cancel() }
          break
        }
      }
    }

    private final func step(_ change: (Recognition) -> Void) {
      let before = state
      change(self)
      if state != before, state != .failed, state != .possible {
        // An end has the last place, too: a change before it that was not told says nothing more.
        hasNews = state == .changed
        if !hasNews {
          if !before.isOn, let contacts { gestures?.recognized(self, in: contacts) }
          tell()
        }
      } else if state == .changed {
        hasNews = true
      }
      if state.isOver { gestures?.finished(self) }
      resetIfOver()
    }

    private final func resetIfOver() { if state.isOver, fingersDown.isEmpty { renew() } }

    private final func renew() {
      reset()
      contacts = nil
      fingersDown = []
    }

    /// Tells that it went on, once for all that came together.
    final func tellNews() {
      guard hasNews else { return }
      hasNews = false
      if state == .changed { tell() }
    }

    // MARK: what becomes of it

    /// What happened in those contacts was another gesture.
    final func lose(_ lost: ClosedRange<UInt64>) {
      lostContact = max(lostContact, lost.upperBound)
      if let contacts, contacts.overlaps(lost), state == .possible {
        // Of a contact that it has seen the beginning of it is not given the rest.
        lostContact = max(lostContact, contacts.upperBound)
        renew()
      }
      heldBack.removeAll { $0.number <= lostContact }
    }

    /// Ends it, and tells so if it had begun.
    final func abandon() {
      hasNews = false
      if contacts != nil { step { $0.cancel() } }
      heldBack = []
      renew()
    }
  }

  /// The gesture of one kind of recogniser.
  final class RecognitionBy<Recognizer: GestureRecognizer>: Recognition, @unchecked Sendable {
    // Sendable: as `Recognition`.
    @safe @exclusivity(unchecked) private var recognizer: Recognizer
    private let action: @Sendable (Recognizer) -> Void

    init(
      _ recognizer: Recognizer, alongside: Bool, unless prerequisites: [Recognition], mode: Mode?,
      action: @escaping @Sendable (Recognizer) -> Void
    ) {
      self.recognizer = recognizer
      self.action = action
      super.init(alongside: alongside, unless: prerequisites, mode: mode)
    }

    override var state: GestureState { recognizer.state }
    override var recognizerDeadline: Instant? { recognizer.deadline }
    override func take(_ touch: Touch) { recognizer.take(touch) }
    override func pass(to now: Instant) { recognizer.pass(to: now) }
    override func cancel() { recognizer.cancel() }
    override func reset() { recognizer.reset() }
    override func tell() { action(recognizer) }
  }
}
