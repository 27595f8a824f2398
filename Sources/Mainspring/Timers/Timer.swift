import LinuxKernel
import Synchronization

extension RunLoop {
  /// Calls its handler at a date, once, at intervals, or whenever its date was set anew.
  ///
  /// All modes of a timer share its one date. Timers that are due fire in the order of their dates, equal ones
  /// in the order of arming; before its turn each is looked at again, so that an earlier callback can cancel or
  /// move a later timer. A timer is never called from within its own callout.
  public final class Timer: Item, @unchecked Sendable {
    // Sendable: as `Item`; links, `isFiring` and `dateWasSet` belong to the loop's thread, and to the maker
    // before there is a loop.
    private let date: Atomic<UInt64>
    /// How many dates other threads have sent that the loop has not looked at: what its own thread sets now must
    /// stand over them.
    private let datesInMail = Atomic<UInt32>(0)
    /// Nanoseconds between fires, 0 if it does not repeat.
    private let interval: UInt64
    private let isRearmable: Bool
    private let handler: Slot<Timer>
    @safe @exclusivity(unchecked) private var links = TimerLinks()
    @safe @exclusivity(unchecked) private(set) var isFiring = false
    @safe @exclusivity(unchecked) private var dateWasSet = false

    private init(
      date: UInt64, interval: UInt64, isRearmable: Bool, order: Int, site: CallSite,
      handler: @escaping @Sendable (Timer) -> Void
    ) {
      self.date = Atomic(date)
      self.interval = interval
      self.isRearmable = isRearmable
      self.handler = Slot(handler)
      super.init(order: order, site: site)
    }

    deinit { links.free() }

    /// A timer that fires at every interval, first one interval after it is made (or at `first`), for ever.
    ///
    /// The grid of fire dates never drifts; fires that were missed become one. An interval below one
    /// nanosecond counts as one.
    public convenience init(
      every interval: Duration, first: Instant? = nil, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (Timer) -> Void
    ) {
      let nanoseconds = UInt64(max(1, interval.saturatingNanoseconds))
      let now = RunLoop.nowOfThisThread
      self.init(
        // The grid of a date in the past begins now.
        date: max(first ?? now.advanced(byNanoseconds: Int64(clamping: nanoseconds)), now).nanoseconds,
        interval: nanoseconds, isRearmable: false, order: 0, site: CallSite(file, line), handler: handler)
    }

    /// A timer that fires once, `delay` after it is made, and is then invalidated unless its handler set a date.
    public convenience init(
      after delay: Duration, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (Timer) -> Void
    ) {
      self.init(
        date: RunLoop.nowOfThisThread.advanced(by: delay).nanoseconds, interval: 0, isRearmable: false,
        order: 0, site: CallSite(file, line), handler: handler)
    }

    /// A timer that fires once, at `date`, and is then invalidated unless its handler set a date.
    public convenience init(
      at date: Instant, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (Timer) -> Void
    ) {
      self.init(
        date: date.nanoseconds, interval: 0, isRearmable: false, order: 0, site: CallSite(file, line),
        handler: handler)
    }

    /// A timer with no date: it fires whenever one was set, and stays valid after that. For time-outs and
    /// debouncers, which move their date over and over.
    public convenience init(
      rearmable: Void, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (Timer) -> Void
    ) {
      self.init(
        date: .max, interval: 0, isRearmable: true, order: 0, site: CallSite(file, line), handler: handler)
    }

    /// When it fires next; nil if it has no date or is invalid. In its own callout: the date that it fired for.
    public var fireDate: Instant? {
      let nanoseconds = date.load(ordering: .relaxed)
      return nanoseconds == .max || !isValid ? nil : Instant(nanoseconds: nanoseconds)
    }

    /// The time between fires, nil if it does not repeat.
    public var repeatInterval: Duration? { interval == 0 ? nil : .nanoseconds(Int64(clamping: interval)) }

    /// Moves the fire date, for all modes; nil disarms. A date in the past means now. A repeating timer's grid
    /// moves with it. Any thread; says no if the timer is invalid or its loop has ended.
    ///
    /// - Complexity: O(1) for dates further off than a millisecond, O(log n) in the number of timers otherwise.
    @discardableResult
    @inline(__always)
    public func setFireDate(_ newDate: Instant?) -> Bool {
      if isOnOwnersThread, datesInMail.load(ordering: .relaxed) == 0 {
        return setFireDateOnLoop(newDate?.nanoseconds ?? .max)
      }
      return setFireDateFromElsewhere(newDate?.nanoseconds ?? .max)
    }

    private func setFireDateFromElsewhere(_ newDate: UInt64) -> Bool {
      guard isValid else { return false }
      guard let loop else {
        date.store(
          interval == 0 ? newDate : max(newDate, RunLoop.nowOfThisThread.nanoseconds), ordering: .relaxed)
        return true
      }
      if loop.isOnOwnThread {
        guard setFireDateOnLoop(newDate) else { return false }
        loop.afterMail { _ in _ = self.setFireDateOnLoop(newDate) }
        return true
      }
      datesInMail.wrappingAdd(1, ordering: .relaxed)
      let isSent = loop.send(concerning: mask) { _ in
        self.datesInMail.wrappingSubtract(1, ordering: .relaxed)
        _ = self.setFireDateOnLoop(newDate)
      }
      if !isSent { datesInMail.wrappingSubtract(1, ordering: .relaxed) }
      return isSent
    }

    func setFireDateOnLoop(_ newDate: UInt64) -> Bool {
      guard isValid else { return false }
      let armed = interval != 0 ? laterThanNow(newDate) : newDate
      date.store(armed, ordering: .relaxed)
      dateWasSet = true
      if !isFiring { links.arm(at: armed) }
      return true
    }

    /// A date in the past means now: a repeating timer's grid begins there.
    @inline(never)
    private func laterThanNow(_ date: UInt64) -> UInt64 {
      max(date, loop?.poller.now() ?? RunLoop.nowOfThisThread.nanoseconds)
    }

    // MARK: for the pass

    /// The date it is armed for.
    var scheduled: UInt64 { date.load(ordering: .relaxed) }

    func isInBatch(seenBy view: ModeView) -> Bool {
      if links.isInBatch(of: view.own) { return true }
      guard let common = view.common else { return false }
      return links.isInBatch(of: common)
    }

    /// Goes back to its place in the queue: the round that it was taken for is off.
    func leaveBatch() { links.leaveBatch() }

    /// Calls the handler and arms the timer anew where that follows from its kind.
    func fire(on loop: RunLoop) {
      links.disarm()
      let scheduled = date.load(ordering: .relaxed)
      dateWasSet = false
      isFiring = true
      handler.call(self)
      isFiring = false
      guard isValid else { return }
      let newDate = date.load(ordering: .relaxed)
      if dateWasSet, newDate != .max || interval != 0 {
        links.arm(at: newDate)
      } else if interval != 0 {
        let next = Cadence.next(after: scheduled, every: interval, now: loop.poller.now())
        date.store(next, ordering: .relaxed)
        links.arm(at: next)
      } else if isRearmable {
        date.store(.max, ordering: .relaxed)
      } else {
        invalidate()
      }
    }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      links.insert(
        for: self, in: scope, armedAt: isFiring ? .max : date.load(ordering: .relaxed),
        sequence: place?.sequence)
      if place?.isInBatch ?? false { links.joinBatch(of: scope) }
    }

    override func place(in scope: Scope) -> Place { links.place(in: scope) }

    /// It was in the batch of the mode alone and is seen through the common modes from now on.
    func joinBatch(of scope: Scope) { links.joinBatch(of: scope) }

    override func didDetach(from scope: Scope, of loop: RunLoop) { links.remove(from: scope) }
    override func releaseHandlers() { handler.giveUp() }
    override func report(to departure: Departure) { handler.report(to: departure) }
    override var isInCallout: Bool { handler.isInCallout }
    /// An armed timer keeps its mode alive by being in the mode's queue.
    override var keepsModeAlive: Bool { false }
    override var kindName: String { interval == 0 ? "timer" : "repeating timer" }
    override var stateDescription: String {
      let date = date.load(ordering: .relaxed)
      return date == .max ? "not armed" : "due at \(date) ns"
    }
  }
}
