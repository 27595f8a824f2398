extension RunLoop {
  /// A loop of others as the guest of this one: an event loop of GLib's kind, or a library that gives its descriptors and
  /// its next date and wants to be called when one of them is ready.
  ///
  /// Before the loop sleeps, `prepare` says what to wait for: descriptors, a date, or that there is work already. When one
  /// has come, `dispatch` is called, once for all that was found together, in the next pass, as a source is, by order
  /// number; and then `prepare` again before the next sleep. What is asked for may change each time: what stays the same
  /// costs little.
  ///
  /// ```swift
  /// import Glibc
  /// import Mainspring
  ///
  /// // A library that has one descriptor and calls back when it is told that it is readable.
  /// var ends: [CInt] = [0, 0]
  /// unsafe pipe(&ends)
  /// let (readEnd, writeEnd) = (ends[0], ends[1])
  /// let library = RunLoop.HostedLoop {
  ///   $0.watch(readEnd, for: .read)
  /// } dispatch: { library, ready in
  ///   print("ready:", ready[0].readiness)
  ///   library.invalidate()
  /// }
  /// let loop = RunLoop.current
  /// loop.add(library, to: .common)
  /// loop.perform(in: .default) { _ = unsafe write(writeEnd, "x", 1) }
  /// loop.run()
  /// ```
  ///
  /// It is an item of its loop, which others may join and leave modes with, and keeps a run going. `prepare` is called behind
  /// all observers of beforeWaiting but those of the largest order numbers: what these give to the foreign loop is found.
  /// A busy loop, which does not sleep, calls it as it calls them, every 64th pass or after 8 ms.
  public final class HostedLoop: Item, @unchecked Sendable {
    // Sendable: as `Item`; what is marked as unchecked belongs to the loop's thread.
    /// Whether the foreign loop may be gone on with by a run of this loop that one of its callouts nests.
    public let nests: Bool
    @safe @exclusivity(unchecked) private var prepare: (@Sendable (inout Wait) -> Void)?
    @safe @exclusivity(unchecked) private var dispatch: (@Sendable (HostedLoop, [Ready]) -> Void)?
    private let parts: Parts
    @safe @exclusivity(unchecked) private var descriptors: [CInt: DescriptorSource] = [:]
    @safe @exclusivity(unchecked) private var ready: [Ready] = []
    /// What was asked for is waited for: false from the dispatch to the next preparation.
    @safe @exclusivity(unchecked) private var isPrepared = false
    @safe @exclusivity(unchecked) private var depth = 0

    /// What of the foreign loop is ready.
    public struct Ready: Hashable, Sendable {
      /// The descriptor's number.
      public var descriptor: CInt
      /// What it is ready for, or what became of it.
      public var readiness: Readiness
    }

    /// The items that do its work, in its modes.
    private struct Parts {
      let observer: Observer
      let work: Source
      let timer: Timer
      var all: [Item] { [observer, work, timer] }
    }

    /// A foreign loop that `prepare` and `dispatch` stand for.
    ///
    /// - Parameters:
    ///   - order: where `dispatch` stands among sources.
    ///   - nests: whether the foreign loop can be entered from its own callouts. Without it a run that is nested in
    ///     `dispatch` leaves the foreign loop alone.
    ///   - prepare: called on the loop's thread before it sleeps; asks and does not work.
    ///   - dispatch: called on the loop's thread when something that was asked for has come; with the descriptors that were
    ///     found ready, none where the date came or there was work already.
    public init(
      order: Int = 0, nests: Bool = false, file: StaticString = #fileID, line: UInt = #line,
      prepare: @escaping @Sendable (inout Wait) -> Void,
      dispatch: @escaping @Sendable (HostedLoop, [Ready]) -> Void
    ) {
      self.nests = nests
      self.prepare = prepare
      self.dispatch = dispatch
      let own = OwnLoop()
      parts = Parts(
        observer: Observer(.beforeWaiting, order: OrderNumber.hostedLoops, file: file, line: line) { _, _ in
          own.loop?.ask()
        },
        work: Source(order: order, file: file, line: line) { _ in own.loop?.work() },
        timer: Timer(rearmable: (), file: file, line: line) { _ in own.loop?.found(nil) })
      super.init(order: order, site: CallSite(file, line))
      own.loop = self
    }

    /// The parts refer to the loop that has them.
    private final class OwnLoop: @unchecked Sendable {
      // Sendable: set by the loop's maker, read on the loop's thread.
      weak var loop: HostedLoop?
    }

    // MARK: the loop's thread

    private var mayWork: Bool { isValid && (depth == 0 || nests) }

    /// Before the sleep.
    private func ask() {
      guard mayWork, let loop, let prepare else { return }
      var wait = Wait()
      callOut { prepare(&wait) }
      // It may have invalidated this.
      guard isValid else { return }
      isPrepared = true
      watch(wait.descriptors, on: loop)
      let date = wait.date.map { max($0, loop.now) }
      if parts.timer.fireDate != date { parts.timer.setFireDate(date) }
      if wait.hasWork { found(nil) }
    }

    private func watch(_ asked: [CInt: Readiness], on loop: RunLoop) {
      for (number, readiness) in asked { watch(number, for: Wait.interest(for: readiness), on: loop) }
      guard descriptors.count > asked.count else { return }
      let mayRest = descriptors.count <= 2 * asked.count + Self.restingMost
      for (number, source) in descriptors where asked[number] == nil {
        if mayRest {
          if !source.interest.isEmpty { source.interest = [] }
        } else {
          descriptors[number] = nil
          source.invalidate()
        }
      }
    }

    private func watch(_ number: CInt, for readiness: Readiness, on loop: RunLoop) {
      if let present = descriptors[number], present.isValid {
        if present.interest != readiness || present.isResting {
          present.interest = readiness
        } else {
          loop.forEachWaitSet(of: present) { $0.verify(present) }
        }
        return
      }
      let source = DescriptorSource(
        number, interest: readiness, files: .alwaysReady, order: order
      ) { [weak self] source, found in
        self?.found(Ready(descriptor: source.descriptor, readiness: found))
        source.noteUntold()
      }
      descriptors[number] = source
      source.claim(for: loop)
      for mode in modes { loop.attach(source, to: mode) }
    }

    /// Something has come that was asked for.
    private func found(_ found: Ready?) {
      guard mayWork else {
        // Ready as it is it would keep the run that is nested here from sleeping.
        if let found { descriptors[found.descriptor]?.interest = [] }
        return
      }
      // What is ready still when it is asked for again is found again.
      guard isPrepared else { return }
      if let found { note(found) }
      parts.work.signal()
    }

    private func note(_ found: Ready) {
      guard let index = ready.firstIndex(where: { $0.descriptor == found.descriptor }) else {
        return ready.append(found)
      }
      ready[index].readiness.formUnion(found.readiness)
    }

    private func work() {
      guard mayWork, let dispatch else { return }
      isPrepared = false
      let found = ready
      ready = []
      parts.timer.setFireDate(nil)
      callOut { dispatch(self, found) }
    }

    private func callOut(_ body: () -> Void) {
      depth += 1
      body()
      depth -= 1
      if depth == 0 { calloutEnded() }
    }

    // MARK: as an item

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      for part in parts.all + Array(descriptors.values) {
        part.claim(for: loop)
        loop.attach(part, to: scope.mode)
      }
    }

    override func didDetach(from scope: Scope, of loop: RunLoop) {
      for part in parts.all + Array(descriptors.values) { loop.detach(part, from: scope.mode) }
    }

    override func releaseHandlers() {
      for part in parts.all + Array(descriptors.values) { part.invalidate() }
      descriptors = [:]
      guard depth == 0 else { return }
      prepare = nil
      dispatch = nil
    }

    override var isInCallout: Bool { depth > 0 }
    override var kindName: String { "hosted loop" }
    override var stateDescription: String { "\(descriptors.count) descriptors" }

    /// So many descriptors that are not asked for any more are kept, to be asked for again at little cost.
    private static let restingMost = 16
  }
}
