extension RunLoop {
  /// Another library's queue, whose blocks are to run on the loop's thread: of libdispatch the main queue.
  ///
  /// A descriptor source, so that it wakes the loop and keeps it alive, which is looked at before the loop would sleep as
  /// well: the step of the pass that CFRunLoop has for it. There is one a loop.
  package final class ServedQueue: DescriptorSource, @unchecked Sendable {
    // Sendable: as `DescriptorSource`; what changes belongs to the loop's thread.
    private let takeRing: @Sendable () -> Bool
    private let drain: @Sendable () -> Void
    /// What rang was taken already.
    @safe @exclusivity(unchecked) private var hasRung = false
    @safe @exclusivity(unchecked) private var isDraining = false
    /// The number of the pass in which it was served last.
    @safe @exclusivity(unchecked) private var lastPass: UInt64 = 0

    /// - Parameters:
    ///   - descriptor: readable while something is queued; stays the other library's.
    ///   - takeRing: takes what the descriptor has to tell; says whether it had.
    ///   - drain: runs what is queued at that moment. Within itself it would run nothing, and after it the descriptor is
    ///     readable again if something is left.
    package init(
      _ descriptor: CInt, file: StaticString, line: UInt, takeRing: @escaping @Sendable () -> Bool,
      drain: @escaping @Sendable () -> Void
    ) {
      self.takeRing = takeRing
      self.drain = drain
      super.init(owning: descriptor, order: 0, site: CallSite(file, line)) { source in
        (source as? ServedQueue)?.serve() ?? false
      }
    }

    /// Runs what is queued at this moment, once a pass; says whether it did.
    ///
    /// In a nested run within itself nothing is run. What rang is taken all the same, or the run would spin on it: the end
    /// of the turn that is on rings again.
    private func serve() -> Bool {
      guard let loop, isDraining || lastPass != loop.passesBegun else { return false }
      let hasRung = hasRung || takeRing()
      self.hasRung = false
      guard hasRung, !isDraining else { return false }
      lastPass = loop.passesBegun
      loop.innermost?.mayPeek = false
      setDraining(true, on: loop)
      drain()
      setDraining(false, on: loop)
      return true
    }

    /// Whether something is queued, which is served next.
    fileprivate func rings() -> Bool {
      hasRung = takeRing()
      return hasRung
    }

    /// While it is served it can call nobody, and so keeps no run in it alive.
    private func setDraining(_ isOn: Bool, on loop: RunLoop) {
      isDraining = isOn
      for mode in modes { loop.existingScope(of: mode)?.countKeeping(isOn ? -1 : 1) }
    }

    override var keepsModeAlive: Bool { !isDraining }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      loop.servedQueue = self
      super.didAttach(to: scope, of: loop, keeping: place)
    }

    override func didDetach(from scope: Scope, of loop: RunLoop) {
      super.didDetach(from: scope, of: loop)
      if modes.isEmpty { loop.servedQueue = nil }
    }

    override var kindName: String { "served queue" }
  }

  /// The main dispatch queue, where the loop serves it. Only on the loop's thread.
  package var servedMainQueue: ServedQueue? { servedQueue?.isValid ?? false ? servedQueue : nil }

  /// The runs that are on look at it, too.
  func servedQueueChanged() {
    guard servedQueue != nil else { return _ = ownManner.remove(.servesQueue) }
    ownManner.insert(.servesQueue)
    for run in runs[..<runDepth] { run.beginToServeQueue() }
  }

  /// The step of the pass: serves the queue if something is in it, and it was not served in the pass before, so that
  /// neither starves the rest. Says whether it was.
  @inline(never)
  func peekAtQueue(for run: Run, _ view: ModeView) -> Bool {
    guard let queue = servedQueue else { return false }
    let mayPeek = run.mayPeek
    run.mayPeek = true
    guard mayPeek, queue.isValid, view.includes(queue), queue.rings() else {
      return false
    }
    beginCallout(.descriptor, queue.site)
    let isServed = queue.callOut(.read)
    endCallout(.descriptor)
    guard isServed else { return false }
    noteHandled(queue, run)
    drainBlocks(of: view)
    return true
  }
}
