extension RunLoop {
  /// Serves what the look found: the timers in fire order, then ports and descriptors by order number.
  @inline(__always)
  func serveRound(of run: Run, _ view: ModeView) {
    if unsafe !round.timers.isEmpty { fireTimers(of: run, view) }
    if !round.ready.isEmpty { serveReady(of: run, view) }
  }

  @inline(never)
  private func fireTimers(of run: Run, _ view: ModeView) {
    var turn = Turn(of: Limit.timersPerPass)
    while let next = unsafe round.timers.popLast() {
      if turn.isOver(on: self, view) {
        unsafe round.timers.append(next)
        return leaveTimers(to: run)
      }
      // SAFETY: as the round's.
      unsafe next._withUnsafeGuaranteedRef { timer in
        // Cancelled, moved or removed by an earlier callout of the round.
        guard timer.isValid, timer.isInBatch(seenBy: view) else { return }
        beginCallout(.timer, timer.site)
        timer.fire(on: self)
        endCallout(.timer)
      }
    }
  }

  /// The turn was too long: what was found due is found again, in a busy pass.
  private func leaveTimers(to run: Run) {
    run.leftWork = true
    let rest = unsafe round.timers
    unsafe round.timers.removeAll(keepingCapacity: true)
    // SAFETY: as the round's.
    for index in unsafe rest.indices {
      unsafe rest[index]._withUnsafeGuaranteedRef { $0.leaveBatch(on: self) }
    }
  }

  @inline(never)
  private func serveReady(of run: Run, _ view: ModeView) {
    while let ready = round.ready.popLast() {
      // SAFETY: as the round's.
      let handled =
        switch ready {
        case .port(let port): unsafe port._withUnsafeGuaranteedRef { deliver($0, for: run, view) }
        case .descriptor(let source, let readiness):
          unsafe source._withUnsafeGuaranteedRef { callOut($0, readiness, for: run, view) }
        }
      if handled, run.returnsAfterSourceHandled { break }
    }
    leaveRest(view)
  }

  private func deliver(_ port: AnyPort, for run: Run, _ view: ModeView) -> Bool {
    guard port.isValid, view.includes(port) else { return false }
    let limit = run.returnsAfterSourceHandled ? 1 : Limit.messagesPerPass
    var turn = Turn(of: limit)
    let runsBefore = runsBegun
    let outer = delivering
    delivering = port
    beginCallout(.port, port.site)
    let delivered = port.deliver(limit: limit) {
      // Each message is a callout of its own: many short ones are not one long one.
      beacon.countCallout()
      return runsBegun == runsBefore && view.includes(port) && !stops.isStopped
        && !turn.isOver(on: self, view)
    }
    endCallout(.port)
    delivering = outer
    if port.isValid, port.hasMessages {
      enlistReady(port)
      run.leftWork = true
    }
    if delivered { noteHandled(port, run) }
    return delivered
  }

  @inline(__always)
  private func callOut(
    _ source: DescriptorSource, _ found: Readiness, for run: Run, _ view: ModeView
  ) -> Bool {
    guard source.isValid, view.includes(source) else { return false }
    // The interest may have changed since the look.
    let readiness = source.relevant(found)
    guard !readiness.isEmpty else { return false }
    // Where the kernel had no means for it in this mode, it goes on in those where it had.
    if readiness.isDisjoint(with: .askable), !readiness.contains(.closed), source.failure == nil {
      rest(source)
    }
    beginCallout(.descriptor, source.site)
    let handled = source.callOut(readiness)
    endCallout(.descriptor)
    if handled {
      if source.hasExtras { source.failure = nil }
      noteHandled(source, run)
    }
    return handled
  }

  /// Nothing that was asked for, only an error or a hang-up: told once, or the loop would spin on it.
  private func rest(_ source: DescriptorSource) {
    source.isResting = true
    forEachWaitSet(of: source) { $0.refresh(source) }
  }

  /// An item was called as a source, a port or a descriptor source.
  @inline(__always)
  func noteHandled(_ item: Item, _ run: Run) {
    run.hasHandledSource = true
    if awaitsItems { noteAwaited(item) }
  }

  @inline(never)
  private func noteAwaited(_ item: Item) {
    for run in runs[..<runDepth] { run.noteHandled(item) }
  }

  /// What a run that returns after the first source did not get to stays ready.
  private func leaveRest(_ view: ModeView) { if !round.ready.isEmpty { putRoundBack(seenBy: view) } }
}
