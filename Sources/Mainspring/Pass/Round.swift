/// What a pass found and has yet to serve, in reverse order, so that the next stands last.
///
/// It belongs to the loop and not to the pass, so that a nested run can put it back where it came from: the
/// nested run finds everything, and the outer pass, finding its round empty, looks again.
///
/// Timers, ports and descriptor sources stand here without being counted: what is in a mode is kept by it, and what
/// leaves during a pass by `RunLoop.departed` until the pass is over.
@safe struct Round {
  var sources: [RunLoop.Source] = []
  var timers: ContiguousArray<Unmanaged<RunLoop.Timer>> = unsafe []
  var ready: ContiguousArray<Ready> = []

  /// A port or a descriptor source of one look.
  @safe enum Ready {
    case port(Unmanaged<RunLoop.AnyPort>)
    case descriptor(Unmanaged<RunLoop.DescriptorSource>, RunLoop.Readiness)

    var order: Int {
      // SAFETY: as the round's.
      switch self {
      case .port(let port): unsafe port._withUnsafeGuaranteedRef { $0.order }
      case .descriptor(let source, _): unsafe source._withUnsafeGuaranteedRef { $0.order }
      }
    }

    /// Ports go before descriptors of the same order number.
    var rank: Int {
      switch self {
      case .port: 0
      case .descriptor: 1
      }
    }
  }

  @inline(__always)
  mutating func append(_ source: Unmanaged<RunLoop.DescriptorSource>, _ readiness: RunLoop.Readiness) {
    unsafe ready.append(.descriptor(source, readiness))
  }

  var isEmpty: Bool { unsafe sources.isEmpty && timers.isEmpty && ready.isEmpty }

  /// Sorts what was found, keeping the order of finding among equals, and turns it round.
  mutating func arrangeReady() {
    if ready.count > 1 { arrangeSeveral() }
  }

  @inline(never)
  private mutating func arrangeSeveral() {
    if ready.contains(where: { $0.rank == 0 || $0.order != 0 }) {
      let numbered = ready.enumerated().sorted { a, b in
        (a.element.order, a.element.rank, a.offset) < (b.element.order, b.element.rank, b.offset)
      }
      ready = ContiguousArray(numbered.map(\.element))
    }
    ready.reverse()
  }
}

extension RunLoop {
  /// Puts what the passes on the stack have found and not served back, for a nested run to find.
  func putRoundBack(seenBy view: ModeView) {
    guard !round.isEmpty else { return }
    let former = round
    round = Round()
    for source in former.sources { relist(source) }
    for index in unsafe former.timers.indices {
      unsafe former.timers[index]._withUnsafeGuaranteedRef { $0.leaveBatch(on: self) }
    }
    for ready in former.ready.reversed() { putBack(ready, view) }
  }

  func relist(_ source: Source) {
    guard source.isValid, source.isSignalled else { return }
    source.enlistInEachMode { mode in
      scope(of: mode).signalled.append(source)
    }
  }

  private func putBack(_ ready: Round.Ready, _ view: ModeView) {
    // SAFETY: as the round's.
    switch ready {
    case .port(let port):
      unsafe port._withUnsafeGuaranteedRef { port in
        if port.isValid, port.hasMessages { enlistReady(port) }
      }
    case .descriptor(let source, let readiness):
      unsafe source._withUnsafeGuaranteedRef { source in
        // Level-triggered readiness is found again; an edge, and the news that a number was closed, are not.
        guard source.isValid, source.trigger == .edge || readiness.contains(.closed) else { return }
        // Kept for a source that has left, it would keep the mode awake for nobody.
        if view.includes(source) { view.waitSet?.latch(source, readiness) }
      }
    }
  }
}
