import LinuxKernel
import Synchronization

extension RunLoop {
  /// Calls its handler at a date, once, at intervals, or whenever its date was set anew.
  ///
  /// All modes of a timer share its one date. Timers that are due fire in the order of their dates, equal ones
  /// in the order of arming; before its turn each is looked at again, so that an earlier callback can cancel or
  /// move a later timer. A timer is never called from within its own callout, and never before its date.
  ///
  /// A timer with a tolerance fires up to that much later, whenever the loop is awake anyway, so that neighbours share a
  /// wake-up.
  public final class Timer: Item, @unchecked Sendable {
    // Sendable: as `Item`; links, `isFiring` and `dateWasSet` belong to the loop's thread, and to the maker
    // before there is a loop.
    private let date: Atomic<UInt64>
    /// How many dates other threads have sent that the loop has not looked at: what its own thread sets now must
    /// stand over them.
    private let datesInMail = Atomic<UInt32>(0)
    /// Nanoseconds between fires, 0 if it does not repeat.
    private let interval: UInt64
    /// The clock that its dates are on.
    public let clock: TimerClock
    private let toleranceWord: Atomic<UInt64>
    private let isRearmable: Bool
    private let handler: Slot<Timer>
    @safe @exclusivity(unchecked) private var links = TimerLinks()
    @safe @exclusivity(unchecked) private(set) var isFiring = false
    @safe @exclusivity(unchecked) private var dateWasSet = false

    init(_ schedule: Schedule, site: CallSite, handler: @escaping @Sendable (Timer) -> Void) {
      date = Atomic(schedule.date)
      interval = schedule.interval
      clock = schedule.clock
      toleranceWord = Atomic(Self.tolerance(schedule.tolerance, every: schedule.interval))
      isRearmable = schedule.isRearmable
      self.handler = Slot(handler)
      super.init(order: 0, site: site)
    }

    deinit { links.free() }

    /// What a timer is made with; dates and intervals in ns.
    struct Schedule {
      var date: UInt64
      var interval: UInt64 = 0
      var clock: TimerClock = .monotonic
      var tolerance: Duration
      var isRearmable = false
    }

    /// When it fires next; nil if it has no date or is invalid. In its own callout: the date that it fired for.
    ///
    /// Any thread; a date that another thread than the loop's has set shows once the loop has taken it in. For a timer on another clock than the monotonic, when that will be as far as can be told now.
    public var fireDate: Instant? {
      let nanoseconds = date.load(ordering: .relaxed)
      if nanoseconds == .max || !isValid { return nil }
      if clock == .monotonic { return Instant(nanoseconds: nanoseconds) }
      return Instant(nanoseconds: RunLoop.pollerOfThisThread.monotonicDate(of: nanoseconds, on: clock))
    }

    /// When it fires next in the time of day; nil for a timer on another clock than the wall clock, or without a date.
    public var wallFireDate: WallTime? {
      let nanoseconds = date.load(ordering: .relaxed)
      return clock != .wall || nanoseconds == .max || !isValid ? nil : WallTime(nanoseconds: nanoseconds)
    }

    /// The time between fires, nil if it does not repeat.
    public var repeatInterval: Duration? { interval == 0 ? nil : .nanoseconds(Int64(clamping: interval)) }

    /// How much later than its date it may fire; what fires it then is that the loop is awake. A repeating timer's is at
    /// most half its interval. Any thread: at once on the loop's own, at the next boundary from others.
    public var tolerance: Duration {
      get { .nanoseconds(Int64(clamping: toleranceWord.load(ordering: .relaxed))) }
      set {
        toleranceWord.store(Self.tolerance(newValue, every: interval), ordering: .relaxed)
        guard let loop else { return }
        if loop.isOnOwnThread {
          toleranceChanged()
        } else {
          loop.send(concerning: mask) { _ in self.toleranceChanged() }
        }
      }
    }

    private func toleranceChanged() {
      if isValid { links.setTolerance(toleranceWord.load(ordering: .relaxed)) }
    }

    private static func tolerance(_ duration: Duration, every interval: UInt64) -> UInt64 {
      let nanoseconds = UInt64(max(0, duration.saturatingNanoseconds))
      return interval == 0 ? nanoseconds : min(nanoseconds, interval / 2)
    }

    /// Moves the fire date, for all modes; nil disarms. A date in the past means now. A repeating timer's grid
    /// moves with it. Any thread: at once on the loop's own, at the next boundary from others.
    ///
    /// - Returns: false if the timer is invalid or its loop has ended.
    /// - Precondition: a date is set on a timer of the monotonic clock only; nil, on any.
    /// - Complexity: O(1) for dates further off than a millisecond, O(log n) in the number of timers otherwise.
    @discardableResult
    @inline(__always)
    public func setFireDate(_ newDate: Instant?) -> Bool {
      if clock != .monotonic { requireNoDate(newDate) }
      if isOnOwnersThread, datesInMail.load(ordering: .relaxed) == 0 {
        return setFireDateOnLoop(newDate?.nanoseconds ?? .max)
      }
      return setFireDateFromElsewhere(newDate?.nanoseconds ?? .max)
    }

    private func requireNoDate(_ date: Instant?) {
      require(
        date == nil, "a date on the monotonic clock was set on a timer of the \(clock) clock, made at \(site)"
      )
    }

    /// Moves the fire date of a timer on the wall clock, as `setFireDate(_:)`.
    ///
    /// - Precondition: the timer is on the wall clock.
    @discardableResult
    public func setWallFireDate(_ newDate: WallTime) -> Bool {
      require(clock == .wall, "a time of day was set on a timer of the \(clock) clock, made at \(site)")
      return setFireDateFromElsewhere(newDate.nanoseconds)
    }

    /// Moves the fire date to that long from now, on the timer's clock, as `setFireDate(_:)`.
    @discardableResult
    public func setFireDate(after delay: Duration) -> Bool {
      let now = Instant(nanoseconds: nowOnClock)
      return setFireDateFromElsewhere(now.advanced(by: delay).nanoseconds)
    }

    /// Now, ns, on its clock, as its loop counts or, before it has one, this thread's.
    private var nowOnClock: UInt64 { (loop?.poller ?? RunLoop.pollerOfThisThread).now(on: clock) }

    private func setFireDateFromElsewhere(_ newDate: UInt64) -> Bool {
      guard isValid else { return false }
      guard let loop else {
        date.store(interval == 0 ? newDate : laterThanNow(newDate), ordering: .relaxed)
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
      max(date, nowOnClock)
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
        let next = Cadence.next(after: scheduled, every: interval, now: loop.poller.now(on: clock))
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
        tolerance: toleranceWord.load(ordering: .relaxed), sequence: place?.sequence)
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
      let tolerance = toleranceWord.load(ordering: .relaxed)
      return (date == .max ? "not armed" : "due at \(date) ns")
        + (clock == .monotonic ? "" : " on the \(clock) clock")
        + (tolerance == 0 ? "" : ", tolerance \(tolerance) ns")
    }
  }
}
