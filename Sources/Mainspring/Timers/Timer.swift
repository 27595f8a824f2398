internal import CLinuxKernel
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
  @safe public final class Timer: Item, @unchecked Sendable {
    // Sendable: as `Item`; the date is atomic; the rest of the link, the handler and `state` belong to the loop's
    // thread, and to the maker before there is a loop. In the order in which it packs, as `Item`.
    private let traits: Traits
    /// Nanoseconds between fires, 0 if it does not repeat.
    private let interval: UInt64
    @safe @exclusivity(unchecked) private var handler: TimerHandler
    /// Its date, and its place in the queue of its first mode; touched through `ownLink`.
    @exclusivity(unchecked) private var storedLink: TimerLink
    @safe @exclusivity(unchecked) private var state: State = []

    /// What it was made with, in a byte.
    private struct Traits: OptionSet {
      let rawValue: UInt8
      static let rearmable = Traits(rawValue: 1)
      static let boot = Traits(rawValue: 2)
      static let wall = Traits(rawValue: 4)
      static let otherClock: Traits = [.boot, .wall]
    }

    /// What becomes of it, in a byte.
    private struct State: OptionSet {
      let rawValue: UInt8
      static let firing = State(rawValue: 1)
      static let dateWasSet = State(rawValue: 2)
    }

    init(_ schedule: Schedule, site: CallSite, handler: @escaping @Sendable (Timer) -> Void) {
      var traits: Traits = schedule.isRearmable ? .rearmable : []
      if schedule.clock == .boot { traits.insert(.boot) }
      if schedule.clock == .wall { traits.insert(.wall) }
      self.traits = traits
      interval = schedule.interval
      self.handler = TimerHandler(handler)
      unsafe storedLink = TimerLink(due: schedule.date)
      super.init(order: 0, site: site)
      let tolerance = Self.tolerance(schedule.tolerance, every: schedule.interval)
      if tolerance > 0 { timerExtras.tolerance.store(tolerance, ordering: .relaxed) }
    }

    /// What a timer is made with; dates and intervals in ns.
    struct Schedule {
      var date: UInt64
      var interval: UInt64 = 0
      var clock: TimerClock = .monotonic
      var tolerance: Duration
      var isRearmable = false
    }

    /// The clock that its dates are on.
    public var clock: TimerClock {
      traits.isDisjoint(with: .otherClock) ? .monotonic : traits.contains(.boot) ? .boot : .wall
    }

    /// Its date, ns, on its clock.
    var due: UInt64 {
      // SAFETY: the date is an atomic word; nothing else of the link is touched.
      @inline(__always) get { unsafe storedLink.due }
      @inline(__always) set { unsafe storedLink.due = newValue }
    }

    /// The link in the timer itself. Only on the loop's thread.
    ///
    /// SAFETY: a stored property of a final class does not move while the timer lives, and apart from its date it is
    /// reached through this address alone. It leaves every queue before the timer can go, for what is in a mode is kept
    /// by the mode.
    @inline(__always)
    var ownLink: TimerLink.Reference { unsafe withUnsafeMutablePointer(to: &storedLink) { unsafe $0 } }

    /// How far from a timer's beginning its link lies.
    static let linkOffset: Int = {
      let probe = Timer(Schedule(date: .max, tolerance: .zero), site: .unknown) { _ in }
      return unsafe UnsafeRawPointer(probe.ownLink)
        - UnsafeRawPointer(Unmanaged.passUnretained(probe).toOpaque())
    }()

    /// Whether it is in its callout.
    var isFiring: Bool { state.contains(.firing) }

    /// When it fires next; nil if it has no date or is invalid. In its own callout: the date that it fired for.
    ///
    /// Any thread; a date that another thread than the loop's has set shows once the loop has taken it in. For a timer on another clock than the monotonic, when that will be as far as can be told now.
    public var fireDate: Instant? {
      let nanoseconds = due
      if nanoseconds == .max || !isValid { return nil }
      if clock == .monotonic { return Instant(nanoseconds: nanoseconds) }
      return Instant(nanoseconds: RunLoop.pollerOfThisThread.monotonicDate(of: nanoseconds, on: clock))
    }

    /// When it fires next in the time of day; nil for a timer on another clock than the wall clock, or without a date.
    public var wallFireDate: WallTime? {
      let nanoseconds = due
      return clock != .wall || nanoseconds == .max || !isValid ? nil : WallTime(nanoseconds: nanoseconds)
    }

    /// The time between fires, nil if it does not repeat.
    public var repeatInterval: Duration? { interval == 0 ? nil : .nanoseconds(Int64(clamping: interval)) }

    /// How much later than its date it may fire; what fires it then is that the loop is awake. A repeating timer's is at
    /// most half its interval. Any thread: at once on the loop's own, at the next boundary from others.
    public var tolerance: Duration {
      get { .nanoseconds(Int64(clamping: toleranceNanoseconds)) }
      set {
        let nanoseconds = Self.tolerance(newValue, every: interval)
        guard hasExtras || nanoseconds > 0 else { return }
        timerExtras.tolerance.store(nanoseconds, ordering: .relaxed)
        guard let loop else { return }
        if loop.isOnOwnThread {
          toleranceChanged()
        } else {
          loop.send(concerning: mask) { if !$0.hasEnded { self.toleranceChanged() } }
        }
      }
    }

    private func toleranceChanged() {
      guard isValid else { return }
      refreshTolerance()
      loop?.noteChangeForAnyHost()
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
      let date = newDate?.nanoseconds ?? .max
      if !traits.isDisjoint(with: .otherClock) { requireNoDate(newDate) }
      return setDate(date)
    }

    @inline(__always)
    private func setDate(_ date: UInt64) -> Bool {
      guard let loop = unsafe borrowedLoop else { return setFireDateFromElsewhere(date) }
      return unsafe loop._withUnsafeGuaranteedRef { loop in
        loop.isOnOwnThread && !hasDatesInMail
          ? setFireDateOnLoop(date, loop) : setFireDateFromElsewhere(date)
      }
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
      return setDate(newDate.nanoseconds)
    }

    /// Moves the fire date to that long from now, on the timer's clock, as `setFireDate(_:)`.
    @discardableResult
    public func setFireDate(after delay: Duration) -> Bool {
      let now = Instant(nanoseconds: nowOnClock)
      return setDate(now.advanced(by: delay).nanoseconds)
    }

    /// Now, ns, on its clock, as its loop counts or, before it has one, this thread's.
    private var nowOnClock: UInt64 {
      guard let loop = unsafe borrowedLoop else { return RunLoop.pollerOfThisThread.now(on: clock) }
      return unsafe loop._withUnsafeGuaranteedRef { $0.poller.now(on: clock) }
    }

    @inline(never)
    private func setFireDateFromElsewhere(_ newDate: UInt64) -> Bool {
      guard isValid else { return false }
      guard let loop else {
        due = interval == 0 ? newDate : laterThanNow(newDate)
        return true
      }
      if loop.isOnOwnThread {
        guard setFireDateOnLoop(newDate, loop) else { return false }
        if loop.hasEarlierMail { setFireDateAfterMail(newDate, loop) }
        return true
      }
      let extras = timerExtras
      extras.datesInMail.wrappingAdd(1, ordering: .relaxed)
      let isSent = loop.send(concerning: mask) {
        extras.datesInMail.wrappingSubtract(1, ordering: .relaxed)
        // After the end of the loop others may be freeing what the timer has.
        if !$0.hasEnded { _ = self.setFireDateOnLoop(newDate, $0) }
      }
      if !isSent { extras.datesInMail.wrappingSubtract(1, ordering: .relaxed) }
      return isSent
    }

    /// Sets it once more after what others sent before. Apart, since a closure is made for it.
    @inline(never)
    private func setFireDateAfterMail(_ newDate: UInt64, _ loop: RunLoop) {
      loop.send(concerning: .none) { if !$0.hasEnded { _ = self.setFireDateOnLoop(newDate, $0) } }
    }

    @inline(__always)
    private func setFireDateOnLoop(_ newDate: UInt64, _ loop: RunLoop) -> Bool {
      guard isValid else { return false }
      let armed = interval != 0 ? laterThanNow(newDate) : newDate
      state.insert(.dateWasSet)
      if state.contains(.firing) { due = armed } else { arm(at: armed, on: loop) }
      return true
    }

    /// A date in the past means now: a repeating timer's grid begins there.
    @inline(never)
    private func laterThanNow(_ date: UInt64) -> UInt64 {
      max(date, nowOnClock)
    }

    // MARK: for the pass

    /// Begins to fetch what firing it will touch: it was found due, and is called after all the others that were.
    @inline(__always)
    func fetchAhead() {
      unsafe ms_prefetch(Unmanaged.passUnretained(self).toOpaque())
      // SAFETY: a closure is two words, the second the address of what it holds; nobody reads there.
      unsafe withUnsafePointer(to: &handler) {
        unsafe ms_prefetch(UnsafeRawPointer($0).load(fromByteOffset: 8, as: UnsafeRawPointer?.self))
      }
    }

    /// Calls the handler and arms the timer anew where that follows from its kind.
    @inline(__always)
    func fire(on loop: RunLoop) {
      disarm(on: loop)
      let scheduled = due
      state = .firing
      handler(self)
      state.remove(.firing)
      guard isValid else { return calloutEnded() }
      if state.contains(.dateWasSet), due != .max || interval != 0 {
        arm(at: due, on: loop)
      } else if interval != 0 {
        arm(
          at: Cadence.next(after: scheduled, every: interval, now: loop.poller.now(on: clock)), on: loop)
      } else if traits.contains(.rearmable) {
        due = .max
      } else {
        invalidate()
        calloutEnded()
      }
    }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      attach(to: scope, keeping: place)
    }

    override func place(in scope: Scope) -> Place {
      guard let link = unsafe link(in: scope), unsafe link.pointee.place != .none else { return Place() }
      return unsafe Place(sequence: link.pointee.sequence, isInBatch: link.pointee.place == .batch)
    }

    override func didDetach(from scope: Scope, of loop: RunLoop) { detach(from: scope, of: loop) }
    override func makeExtras() -> ItemExtras { Extras() }
    override func releaseHandlers() { if !isFiring { _ = take(&handler, leaving: .none) } }
    override var isInCallout: Bool { isFiring }
    /// An armed timer keeps its mode alive by being in the mode's queue.
    override var keepsModeAlive: Bool { false }
    override var kindName: String { interval == 0 ? "timer" : "repeating timer" }
    override var stateDescription: String {
      let tolerance = toleranceNanoseconds
      return (due == .max ? "not armed" : "due at \(due) ns")
        + (clock == .monotonic ? "" : " on the \(clock) clock")
        + (tolerance == 0 ? "" : ", tolerance \(tolerance) ns")
    }
  }
}
