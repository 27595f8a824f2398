import LinuxKernel

extension RunLoop {
  /// Events that come from outside by a descriptor, and are delivered inside the program by a source.
  ///
  /// When the descriptor is readable all that waits is read, at once, into the queue; a version-0 source delivers it in the
  /// pass that follows, where such sources have their place. What is seen of the outside is so never older than it must be,
  /// and what the program does about it has an order of its own. ``Gestures`` are recognised after that, before the loop
  /// sleeps.
  ///
  /// ```swift
  /// final class Connection: Sendable {  // to a window system, say
  ///   let descriptor: Int32 = 0
  ///   func nextEvent() -> String? { nil }
  /// }
  ///
  /// let connection = Connection()
  /// let events = RunLoop.EventQueue(connection.descriptor) {
  ///   connection.nextEvent()
  /// } deliver: { event in
  ///   print("somebody did", event)
  /// }
  /// RunLoop.current.add(events, to: .common)
  /// events.post("nothing, but as if")
  /// ```
  ///
  /// It is added to modes as other items are, to `.common` for what is to go on while the user drags. What a nested run in a
  /// handler finds in the queue is delivered there, in order.
  public final class EventQueue<Event: Sendable>: Item, @unchecked Sendable {
    // Sendable: as `Item`; the events are behind a lock, and the rest belongs to the loop's thread.
    private let events = Locked<ArraySlice<Event>>([])
    private let input: DescriptorSource?
    private let delivery: Source
    @safe @exclusivity(unchecked) private var work: Work?
    /// What became of the descriptor, to be told after the last event.
    @safe @exclusivity(unchecked) private var ending: Readiness?
    @safe @exclusivity(unchecked) private var mayHaveMore = false
    @safe @exclusivity(unchecked) private var depth = 0

    private struct Work {
      let next: @Sendable () -> Event?
      let merging: (@Sendable (Event, Event) -> Event?)?
      let onEnd: (@Sendable (EventQueue, Readiness) -> Void)?
      let deliver: @Sendable (Event) -> Void
    }

    /// A queue of what comes by a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: stays the caller's, who closes it once the queue is invalid.
    ///   - order: of the delivery among sources, and of the reading among descriptors: smaller numbers come first.
    ///   - next: reads one event, without waiting; nil when there is none now. Called on the loop's thread.
    ///   - merging: makes one event of two that wait one behind the other, if they can be one: of two places of the pointer
    ///     the later. Called on the loop's thread.
    ///   - onEnd: called on the loop's thread, once, when the descriptor has an error or its other side has gone, after the
    ///     last event was delivered. The descriptor is not looked at any more.
    ///   - deliver: called on the loop's thread for each event.
    public convenience init(
      _ descriptor: CInt, order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      next: @escaping @Sendable () -> Event?,
      merging: (@Sendable (Event, Event) -> Event?)? = nil,
      onEnd: (@Sendable (EventQueue, Readiness) -> Void)? = nil,
      deliver: @escaping @Sendable (Event) -> Void
    ) {
      self.init(
        descriptor, order, file, line, Work(next: next, merging: merging, onEnd: onEnd, deliver: deliver))
    }

    /// A queue of what is posted to it.
    public convenience init(
      order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      merging: (@Sendable (Event, Event) -> Event?)? = nil, deliver: @escaping @Sendable (Event) -> Void
    ) {
      self.init(
        nil, order, file, line, Work(next: { nil }, merging: merging, onEnd: nil, deliver: deliver))
    }

    private init(_ descriptor: CInt?, _ order: Int, _ file: StaticString, _ line: UInt, _ work: Work) {
      let own = Own()
      input = descriptor.map {
        DescriptorSource($0, order: order, file: file, line: line) { own.queue?.hear($1) }
      }
      delivery = Source(order: order, file: file, line: line) { _ in own.queue?.deliver() }
      self.work = work
      super.init(order: order, site: CallSite(file, line))
      own.queue = self
    }

    /// What its parts call; they belong to the queue, which they must not keep.
    private final class Own: @unchecked Sendable {
      // Sendable: set by the maker, read on the loop's thread.
      weak var queue: EventQueue?
    }

    // MARK: what comes

    /// Puts an event behind what waits, and wakes the loop: as if it had come from outside. Any thread.
    ///
    /// - Returns: false if the queue is invalid or its loop has ended.
    @discardableResult
    public func post(_ event: Event) -> Bool {
      guard isValid, !(loop?.isClosed ?? false) else { return false }
      events.withLock { $0.append(event) }
      delivery.signal()
      loop?.wakeUp()
      return true
    }

    /// Reads what waits now, as when the descriptor is readable. Only on the loop's thread.
    ///
    /// For connections that read on other occasions, too, such as Xlib's and xcb's when they wait for an answer: what they
    /// took into memory no descriptor tells of. Call it in an observer of beforeWaiting.
    public func readWaiting() {
      loop?.requireOwnThread(to: "read events of")
      read()
    }

    private func hear(_ readiness: Readiness) {
      read()
      guard !readiness.isDisjoint(with: [.error, .hangUp, .closed]), isValid else { return }
      ending = readiness
      input?.invalidate()
      delivery.signal()
    }

    private func read() {
      var left = Limit.eventsPerReading
      called {
        while left > 0, isValid, let event = work?.next() {
          events.withLock { $0.append(event) }
          left -= 1
        }
      }
      mayHaveMore = left == 0
      if left < Limit.eventsPerReading { delivery.signal() }
    }

    // MARK: delivering

    private func deliver() {
      if mayHaveMore { read() }
      // What a handler posts has its turn in the next pass.
      var left = events.withLock { $0.count }
      called {
        while left > 0, isValid, let event = takeNext(&left) { work?.deliver(event) }
      }
      guard isValid else { return }
      if mayHaveMore || events.withLock({ !$0.isEmpty }) { return delivery.signal() }
      guard let ending else { return }
      self.ending = nil
      called { work?.onEnd?(self, ending) }
    }

    /// The next, with those merged into it that can be. A nested run may have taken some.
    private func takeNext(_ left: inout Int) -> Event? {
      guard var event = takeFirst() else { return nil }
      left -= 1
      while let merging = work?.merging, let next = events.withLock({ $0.first }),
        let one = merging(event, next)
      {
        event = one
        _ = takeFirst()
        left -= 1
      }
      return event
    }

    private func takeFirst() -> Event? {
      events.withLock { events in
        let first = events.popFirst()
        // A slice keeps what was taken from it.
        if events.isEmpty { events = [] }
        return first
      }
    }

    private func called(_ body: () -> Void) {
      depth += 1
      body()
      depth -= 1
      if depth == 0 { calloutEnded() }
    }

    // MARK: as an item

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      for part in [input, delivery].compactMap({ $0 }) as [Item] where part.isValid {
        part.claim(for: loop)
        loop.attach(part, to: scope.mode)
      }
    }

    override func didDetach(from scope: Scope, of loop: RunLoop) {
      for part in [input, delivery].compactMap({ $0 }) as [Item] { loop.detach(part, from: scope.mode) }
    }

    override func releaseHandlers() {
      input?.invalidate()
      delivery.invalidate()
      guard depth == 0 else { return }
      _ = take(&work, leaving: nil)
      events.withLock { $0 = [] }
    }

    override var servedPart: Item { delivery }
    override var isInCallout: Bool { depth > 0 }
    override var keepsModeAlive: Bool { false }
    override var kindName: String { "event queue" }
    override var stateDescription: String { "\(events.withLock { $0.count }) waiting" }
  }
}
