/// What a pass found and has yet to serve, in reverse order, so that the next stands last.
///
/// It belongs to the loop and not to the pass, so that a nested run can put it back where it came from: the
/// nested run finds everything, and the outer pass, finding its round empty, looks again.
struct Round {
  var sources: [RunLoop.Source] = []
  var timers: [RunLoop.Timer] = []
  var ready: [Ready] = []

  /// A port or a descriptor source of one look.
  enum Ready {
    case port(RunLoop.AnyPort)
    case descriptor(RunLoop.DescriptorSource, RunLoop.Readiness)

    var order: Int {
      switch self {
      case .port(let port): port.order
      case .descriptor(let source, _): source.order
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

  var isEmpty: Bool { sources.isEmpty && timers.isEmpty && ready.isEmpty }

  /// Sorts what was found, keeping the order of finding among equals, and turns it round.
  mutating func arrangeReady() {
    if ready.count > 1, ready.contains(where: { $0.order != 0 || $0.rank == 0 }) {
      let numbered = ready.enumerated().sorted { a, b in
        (a.element.order, a.element.rank, a.offset) < (b.element.order, b.element.rank, b.offset)
      }
      ready = numbered.map(\.element)
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
    for timer in former.timers { timer.leaveBatch() }
    for ready in former.ready.reversed() { putBack(ready, view) }
  }

  private func relist(_ source: Source) {
    guard source.isValid, source.isSignalled else { return }
    for membership in source.memberships where source.enlist(in: membership.mode) {
      scope(of: membership.mode).signalled.append(source)
    }
  }

  private func putBack(_ ready: Round.Ready, _ view: ModeView) {
    switch ready {
    case .port(let port): if port.isValid, port.hasMessages { enlistReady(port) }
    case .descriptor(let source, let readiness):
      // Level-triggered readiness is found again; an edge, and the news that a number was closed, are not.
      guard source.isValid, source.trigger == .edge || readiness.contains(.closed) else { return }
      // Kept for a source that has left, it would keep the mode awake for nobody.
      if view.includes(source) { view.waitSet?.latch(source, readiness) }
    }
  }
}
