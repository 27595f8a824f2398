extension RunLoop {
  /// Serves what the look found: the timers in fire order, then ports and descriptors by order number.
  func serveRound(of run: Run) {
    fireTimers(of: run)
    serveReady(of: run)
  }

  private func fireTimers(of run: Run) {
    var turn = Turn(of: Limit.timersPerPass)
    while let timer = round.timers.popLast() {
      if turn.isOver(on: self) {
        round.timers.append(timer)
        return leaveTimers(to: run)
      }
      // Cancelled, moved or removed by an earlier callout of the round.
      guard timer.isValid, timer.isInBatch(seenBy: run.view) else { continue }
      beginCallout(.timer, timer.site)
      timer.fire(on: self)
      endCallout(.timer)
    }
  }

  /// The turn was too long: what was found due is found again, in a busy pass.
  private func leaveTimers(to run: Run) {
    run.leftWork = true
    let rest = round.timers
    round.timers.removeAll(keepingCapacity: true)
    for timer in rest { timer.leaveBatch() }
  }

  private func serveReady(of run: Run) {
    while let ready = round.ready.popLast() {
      let handled =
        switch ready {
        case .port(let port): deliver(port, for: run)
        case .descriptor(let source, let readiness): callOut(source, readiness, for: run)
        }
      if handled, run.returnsAfterSourceHandled { break }
    }
    leaveRest(of: run)
  }

  private func deliver(_ port: AnyPort, for run: Run) -> Bool {
    guard port.isValid, run.view.includes(port) else { return false }
    let limit = run.returnsAfterSourceHandled ? 1 : Limit.messagesPerPass
    var turn = Turn(of: limit)
    let runsBefore = runsBegun
    let outer = delivering
    delivering = port
    beginCallout(.port, port.site)
    let delivered = port.deliver(limit: limit) {
      // Each message is a callout of its own: many short ones are not one long one.
      beacon.countCallout()
      return runsBegun == runsBefore && run.view.includes(port) && !stops.isStopped && !turn.isOver(on: self)
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

  private func callOut(_ source: DescriptorSource, _ found: Readiness, for run: Run) -> Bool {
    guard source.isValid, run.view.includes(source) else { return false }
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
      source.failure = nil
      noteHandled(source, run)
    }
    return handled
  }

  /// Nothing that was asked for, only an error or a hang-up: told once, or the loop would spin on it.
  private func rest(_ source: DescriptorSource) {
    source.isResting = true
    forEachWaitSet(of: source) { $0.refresh(source) }
  }

  private func noteHandled(_ item: Item, _ run: Run) {
    run.hasHandledSource = true
    item.timesHandled &+= 1
  }

  /// What a run that returns after the first source did not get to stays ready.
  private func leaveRest(of run: Run) { if !round.ready.isEmpty { putRoundBack(seenBy: run.view) } }
}
