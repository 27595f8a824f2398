import LinuxKernel
import Synchronization

extension RunLoop {
  /// Is called for every frame of a display, or every second, third …, in time for the next: for what moves.
  ///
  /// It is added to modes as other items are, to `.common` for what is to go on while the user drags. A link of this
  /// module's has a timer for its display; the module `MainspringDisplay` makes some that follow a real one.
  ///
  /// ```swift
  /// let loop = RunLoop.current
  /// let link = RunLoop.DisplayLink(refreshRate: 100) { link, tick in
  ///   print("frame of", link.framesPerSecond, "a second, missed:", tick.missedFrames)
  ///   link.invalidate()
  /// }
  /// loop.add(link, to: .common)
  /// loop.run()
  /// ```
  ///
  /// **What is missed is one tick.** However long the loop was busy, one tick follows, for the latest frame, and says
  /// how many were missed. A link is never called twice for a frame, and dates do not drift.
  ///
  /// **Nobody listens, nobody is woken.** A link that is paused, in no mode, or without a handler and without anybody who
  /// iterates over its ``ticks``, sleeps, and its modes may be empty for it.
  public final class DisplayLink: Item, @unchecked Sendable {
    // Sendable: as `Item`; what is said to belong to the loop's thread is touched there alone, and the rest is atomic or
    // behind locks.
    private let handler: (@Sendable (DisplayLink, DisplayTick) -> Void)?
    private let onFailure: (@Sendable (DisplayLink, any Error) -> Void)?
    let timer: Timer
    private let paused = Atomic<Bool>(false)
    private let range: Locked<FrameRateRange>
    private let latest = Locked<DisplayTick?>(nil)
    private let failed = Locked<(any Error)?>(nil)
    private let rate: Atomic<UInt64>
    let listeners = Locked<[TickMailbox]>([])

    // The loop's thread only.
    /// Where frames come from; nil is the timer.
    @safe @exclusivity(unchecked) var origin: (any TickOrigin)?
    @safe @exclusivity(unchecked) var grid: FrameGrid
    /// Whether frames are waited for.
    @safe @exclusivity(unchecked) var isTicking = false
    /// The frame of the last tick since ticking began.
    @safe @exclusivity(unchecked) var lastFrame: UInt64?
    /// A frame came late, and which is shown now was asked.
    @safe @exclusivity(unchecked) var isCatchingUp = false
    /// A frame came while its handler was on.
    @safe @exclusivity(unchecked) var isHeldUp = false
    @safe @exclusivity(unchecked) private var depth = 0

    /// A link whose display is a timer.
    ///
    /// - Parameters:
    ///   - refreshRate: how many frames a second the display is to have, from 0.1 to 10 000.
    ///   - range: at which rates the link may be called.
    ///   - handler: called on the loop's thread. Without one, the link is for its ``ticks``.
    public convenience init(
      refreshRate: Double = 60, range: FrameRateRange = .everyFrame,
      file: StaticString = #fileID, line: UInt = #line,
      handler: (@Sendable (DisplayLink, DisplayTick) -> Void)? = nil
    ) {
      self.init(
        origin: nil, millihertz: Self.millihertz(refreshRate), range: range,
        site: CallSite(file, line), onFailure: nil, handler: handler)
    }

    /// Frames in a thousand seconds. Traps on a rate that no display has.
    package static func millihertz(_ refreshRate: Double) -> UInt64 {
      require((0.1...10_000).contains(refreshRate), "no display shows \(refreshRate) frames a second")
      return UInt64((refreshRate * 1000).rounded())
    }

    /// - Parameters:
    ///   - origin: tells of frames; where it fails, the timer goes on at its rate.
    ///   - millihertz: the rate to begin with.
    package init(
      origin: (any TickOrigin)?, millihertz: UInt64, range: FrameRateRange, site: CallSite,
      onFailure: (@Sendable (DisplayLink, any Error) -> Void)?,
      handler: (@Sendable (DisplayLink, DisplayTick) -> Void)?
    ) {
      self.handler = handler
      self.onFailure = onFailure
      self.origin = origin
      self.range = Locked(range)
      grid = FrameGrid(millihertz: millihertz)
      rate = Atomic(millihertz)
      let own = OwnLink()
      timer = Timer(Timer.Schedule(date: .max, tolerance: .zero, isRearmable: true), site: site) { _ in
        own.link?.timerFired()
      }
      super.init(order: 0, site: site)
      own.link = self
    }

    /// What the timer calls; it belongs to the link, which it must not keep.
    private final class OwnLink: @unchecked Sendable {
      // Sendable: set by the link's maker, read on the loop's thread.
      weak var link: DisplayLink?
    }

    // MARK: settings

    /// Whether the link rests. Frames that pass meanwhile are not missed. Any thread: at once on the loop's own, at the
    /// next boundary from others.
    public var isPaused: Bool {
      get { paused.load(ordering: .acquiring) }
      set {
        paused.store(newValue, ordering: .releasing)
        onLoop { $0.refresh() }
      }
    }

    /// At which rates it may be called. Any thread, as ``isPaused``.
    public var preferredFrameRateRange: FrameRateRange {
      get { range.withLock { $0 } }
      set {
        range.withLock { $0 = newValue }
        onLoop { if $0.isTicking { $0.askForNext() } }
      }
    }

    /// How many frames a second it is called for: the display's rate by a whole number. Any thread.
    public var framesPerSecond: Double {
      let millihertz = rate.load(ordering: .relaxed)
      return Double(millihertz) / 1000
        / Double(preferredFrameRateRange.stride(atMillihertz: millihertz))
    }

    // MARK: what it tells

    /// The last tick; nil before the first. Any thread.
    public var lastTick: DisplayTick? { latest.withLock { $0 } }

    /// Why frames come from a timer though there was a display; nil if they do not. Any thread.
    public var failure: (any Error)? { failed.withLock { $0 } }

    /// How long it is until the link's next frame is due: how much time other work on the loop may take now without
    /// costing a frame. Nil while the link rests, and before its first tick. Only on the loop's thread.
    public var frameTimeLeft: Duration? {
      guard let loop else { return nil }
      loop.requireOwnThread(to: "ask the frame of")
      guard isTicking, firstMode != nil, let tick = lastTick else { return nil }
      let (now, target) = (loop.now, tick.targetTimestamp)
      if now < target { return now.duration(to: target) }
      let interval = UInt64(max(1, tick.timestamp.duration(to: target).saturatingNanoseconds))
      let over = (now.nanoseconds - target.nanoseconds) % interval
      return .nanoseconds(Int64(clamping: interval - over))
    }

    // MARK: for its parts

    var stride: UInt64 { preferredFrameRateRange.stride(atMillihertz: grid.millihertz) }

    func setRate(_ millihertz: UInt64) { rate.store(millihertz, ordering: .relaxed) }

    /// Does something on the loop's thread: at once there. Before there is a loop nothing is to be done.
    func onLoop(_ change: @escaping @Sendable (DisplayLink) -> Void) {
      guard let loop else { return }
      if loop.isOnOwnThread {
        change(self)
      } else {
        loop.send(concerning: mask) { if !$0.hasEnded { change(self) } }
      }
    }

    /// Whether anybody wants to be called.
    var isListenedTo: Bool {
      isValid && !isPaused && firstMode != nil
        && (handler != nil || listeners.withLock { !$0.isEmpty })
    }

    func tell(_ tick: DisplayTick) {
      latest.withLock { $0 = tick }
      for mailbox in listeners.withLock({ $0 }) { mailbox.put(tick) }
      callOut { handler?(self, tick) }
    }

    func tellFailure(_ error: any Error) {
      failed.withLock { $0 = error }
      callOut { onFailure?(self, error) }
    }

    private func callOut(_ body: () -> Void) {
      depth += 1
      body()
      depth -= 1
      if depth > 0 { return }
      calloutEnded()
      if isHeldUp {
        isHeldUp = false
        if isTicking { origin?.ask(for: .current) }
      }
    }

    // MARK: as an item

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      timer.claim(for: loop)
      // Its dates were for those modes that it was in before.
      if place == nil, modes.count == 1 { rest() }
      loop.attach(timer, to: scope.mode)
      if isTicking { attachOrigin(to: scope.mode, of: loop) }
      refresh()
    }

    override func didDetach(from scope: Scope, of loop: RunLoop) {
      loop.detach(timer, from: scope.mode)
      for item in origin?.items ?? [] { loop.detach(item, from: scope.mode) }
    }

    override func releaseHandlers() {
      timer.invalidate()
      origin?.finish()
      isTicking = false
      for mailbox in listeners.withLock({ $0 }) { mailbox.finish() }
    }

    override var isInCallout: Bool { depth > 0 }
    override var keepsModeAlive: Bool { false }
    override var kindName: String { "display link" }
    override var stateDescription: String {
      "\(framesPerSecond) frames a second" + (isPaused ? ", paused" : "")
    }
  }
}
