import LinuxKernel

extension RunLoop {
  /// Recognises gestures, before the loop sleeps.
  ///
  /// Touches are fed as they come, and nothing is decided then: that is done once, at beforeWaiting, for all that has come, and
  /// each gesture's action is called there. It is an item of the loop; where a drag is to go on while the loop tracks, it is
  /// in `.common`.
  ///
  /// ```swift
  /// let loop = RunLoop.current
  /// let gestures = RunLoop.Gestures()
  /// gestures.recognize(RunLoop.DragRecognizer(), runningIn: .tracking) { drag in
  ///   print(drag.state, drag.translation.y, "in", RunLoop.current.currentMode ?? .default)
  /// }
  /// loop.add(gestures, to: .common)
  /// loop.perform(in: .default) {
  ///   gestures.feed(RunLoop.Touch(.began, at: .zero, time: loop.now))
  ///   gestures.feed(RunLoop.Touch(.moved, at: RunLoop.Vector(x: 0, y: 30), time: loop.now))
  /// }
  /// loop.perform(in: .tracking) {
  ///   gestures.feed(RunLoop.Touch(.ended, at: RunLoop.Vector(x: 0, y: 50), time: loop.now))
  /// }
  /// loop.run()
  /// ```
  ///
  /// It prints
  ///
  /// ```text
  /// began 22.0 in default
  /// ended 42.0 in tracking
  /// ```
  ///
  /// **Of several gestures one wins.** The first that is recognised, in the order in which they were asked for, has the contact,
  /// from the first finger down to the last that is lifted; the others hear no more of it, but for those that were asked for
  /// `alongside`. One that is recognised `unless` another is waits until that has failed: a tap, unless it is a double one.
  ///
  /// **What counts is when it happened.** A press is long if the finger was down for long, not if the loop was busy: its end is
  /// only missed once the loop has looked for events after the date.
  ///
  /// Everything in it belongs to the loop's thread.
  public final class Gestures: Observer, @unchecked Sendable {
    // Sendable: as `Observer`; everything below belongs to the loop's thread.
    @safe @exclusivity(unchecked) private var recognitions: [Recognition] = []
    @safe @exclusivity(unchecked) private var waiting: [Touch] = []
    @safe @exclusivity(unchecked) private var fingersDown: [Int: Touch] = [:]
    @safe @exclusivity(unchecked) private var contact: UInt64 = 0
    @safe @exclusivity(unchecked) private var latest = Instant(nanoseconds: 0)
    /// Events of before this date have been looked for.
    @safe @exclusivity(unchecked) private var hasPassed = Instant(nanoseconds: 0)
    /// … and this was not decided upon yet.
    @safe @exclusivity(unchecked) private var isDue = false
    @safe @exclusivity(unchecked) private var tracking: (recognition: Recognition, token: Token)?
    private let timer: Timer

    /// Nothing is looked for yet.
    ///
    /// - Parameter order: its place among the observers of beforeWaiting; smaller numbers are called first. See
    ///   ``OrderNumber``.
    public init(
      order: Int = OrderNumber.gestures, file: StaticString = #fileID, line: UInt = #line
    ) {
      let site = CallSite(file, line)
      let own = OwnGestures()
      timer = Timer(Timer.Schedule(date: .max, tolerance: .zero, isRearmable: true), site: site) { _ in
        own.gestures?.timerFired()
      }
      super.init(.beforeWaiting, repeats: true, order: order, site: site) { observer, _ in
        (observer as? Gestures)?.decide()
      }
      own.gestures = self
    }

    /// What the timer calls; it belongs to the gestures, which it must not keep.
    private final class OwnGestures: @unchecked Sendable {
      // Sendable: set by the maker, read on the loop's thread.
      weak var gestures: Gestures?
    }

    // MARK: asking for gestures

    /// Looks for a gesture from now on.
    ///
    /// - Parameters:
    ///   - recognizer: decides; an own copy for this search.
    ///   - alongside: whether it is recognised beside the others, neither winning nor losing.
    ///   - others: only when these, which were asked for before, have failed.
    ///   - mode: what the loop runs in while the gesture is on, in a run nested in the present one. A stop that meets that
    ///     run is handed on to the one around it.
    ///   - action: called on the loop's thread, at beforeWaiting, when the gesture has begun or ended, was cancelled, or
    ///     once for all its changes that came together. It must not run the loop: nothing is recognised meanwhile.
    @discardableResult
    public func recognize<Recognizer: GestureRecognizer>(
      _ recognizer: Recognizer, alongside: Bool = false, unless others: Recognition...,
      runningIn mode: Mode? = nil, action: @escaping @Sendable (Recognizer) -> Void
    ) -> Recognition {
      requireOwnThread()
      require(
        others.allSatisfy { $0.gestures === self },
        "what a gesture waits for is looked for by the same \(kindName), made at \(site)")
      let made = RecognitionBy(recognizer, alongside: alongside, unless: others, mode: mode, action: action)
      made.gestures = self
      // Of a contact it is given all or nothing.
      if !fingersDown.isEmpty { made.lose(contact...contact) }
      recognitions.append(made)
      return made
    }

    /// Takes a touch, to be looked at before the loop sleeps.
    ///
    /// What makes no sense is put right: a finger that never began is not heard of, one that begins twice is cancelled in
    /// between, and times neither go back nor lie ahead.
    public func feed(_ touch: Touch) {
      requireOwnThread()
      guard isValid else { return }
      waiting.append(touch)
      workChanged()
    }

    /// Cancels what is on, and forgets what the fingers did that are down now.
    public func cancelAll() {
      requireOwnThread()
      waiting.removeAll()
      let lost = contact...contact
      fingersDown = [:]
      for recognition in recognitions {
        recognition.abandon()
        recognition.lose(lost)
      }
      setTimer()
      workChanged()
    }

    private func requireOwnThread() { loop?.requireOwnThread(to: "recognise gestures of") }

    func remove(_ recognition: Recognition) {
      requireOwnThread()
      recognition.abandon()
      recognitions.removeAll { $0 === recognition }
      recognition.gestures = nil
      for other in recognitions { other.releaseHeldBack() }
    }

    // MARK: deciding

    private func timerFired() {
      guard let loop else { return }
      // Events of the same look are served after this, and decided upon before it.
      hasPassed = loop.now
      isDue = true
      workChanged()
    }

    private func decide() {
      guard let loop else { return }
      doWork {
        let now = loop.now
        for touch in take(&waiting, leaving: []) { accept(touch, at: now) }
        // What an action has fed is older.
        if waiting.isEmpty {
          isDue = false
          pass(to: hasPassed)
        }
        for recognition in recognitions { recognition.tellNews() }
        setTimer()
      }
    }

    /// Puts right when it was, and which finger.
    private func accept(_ touch: Touch, at now: Instant) {
      latest = max(latest, min(touch.time, now))
      let touch = touch.moved(to: latest)
      let known = fingersDown[touch.finger]
      switch touch.phase {
      case .began:
        if let known { give(known.moved(to: latest).becoming(.cancelled)) }
        if fingersDown.isEmpty { contact += 1 }
        fingersDown[touch.finger] = touch
      case .moved:
        guard known != nil else { return }
        fingersDown[touch.finger] = touch
      case .ended, .cancelled: guard known != nil else { return }
      }
      give(touch)
    }

    private func give(_ touch: Touch) {
      pass(to: touch.time)
      if touch.phase == .ended || touch.phase == .cancelled { fingersDown[touch.finger] = nil }
      for recognition in recognitions {
        recognition.receive(Recognition.Contact(touch: touch, number: contact))
      }
    }

    /// What comes about by waiting, the earliest first.
    private func pass(to time: Instant) {
      while let date = recognitions.compactMap(\.deadline).min(), date <= time {
        for recognition in recognitions where recognition.deadline == date {
          recognition.reach(date)
          if recognition.deadline == date { return }
        }
        for recognition in recognitions { recognition.releaseHeldBack() }
      }
    }

    private func setTimer() { timer.setFireDate(recognitions.compactMap(\.deadline).min()) }

    // MARK: what a recognition says

    func recognized(_ winner: Recognition, in contacts: ClosedRange<UInt64>) {
      for other in recognitions where other !== winner {
        if other.waits(for: winner) || !(winner.isAlongside || other.isAlongside) { other.lose(contacts) }
      }
      if winner.state.isOn, let mode = winner.mode { track(winner, in: mode) }
    }

    func finished(_ recognition: Recognition) {
      guard let tracking, tracking.recognition === recognition else { return }
      self.tracking = nil
      tracking.token.signal()
    }

    /// Runs the loop in the mode until the gesture is over. Not from here: this observer would not be called again.
    private func track(_ recognition: Recognition, in mode: Mode) {
      guard tracking == nil, let loop, let current = loop.currentMode, current != mode else { return }
      let token = Token()
      tracking = (recognition, token)
      loop.perform(in: current) { [unowned loop] in
        guard !token.isSignalled else { return }
        if loop.run(until: token, in: mode).reason == .stopped { loop.stop() }
      }
    }

    // MARK: as an item

    override var workToDo: Work { waiting.isEmpty && !isDue ? .none : .waiting }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      timer.claim(for: loop)
      loop.attach(timer, to: scope.mode)
      super.didAttach(to: scope, of: loop, keeping: place)
    }

    override func didDetach(from scope: Scope, of loop: RunLoop) {
      super.didDetach(from: scope, of: loop)
      loop.detach(timer, from: scope.mode)
    }

    override func releaseHandlers() {
      super.releaseHandlers()
      timer.invalidate()
      tracking?.token.signal()
      tracking = nil
      if !isInHandler { recognitions = [] }
    }

    override var kindName: String { "set of gestures" }
    override var stateDescription: String { "\(recognitions.count) looked for" }
  }
}
