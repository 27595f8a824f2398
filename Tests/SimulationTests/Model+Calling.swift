import SimulationPrograms

extension Model {
  func call(_ activity: Program.Activity, in mode: Program.Mode) {
    let listeners = members(of: mode).filter { $0.activities.contains(activity) }
      .sorted { ($0.order, $0.modes[mode]!) < ($1.order, $1.modes[mode]!) }
    for listener in listeners {
      guard listener.isValid, !listener.isInCallout, listener.modes[mode] != nil else { continue }
      listener.isInCallout = true
      switch listener.kind {
      case .batch: doMarked(listener)
      case .idleQueue: takeTurn(listener)
      default: listener.call(.activity(activity))
      }
      listener.isInCallout = false
      if !listener.repeats { invalidate(listener) }
    }
  }

  func drainBlocks(of run: ModelRun) {
    acceptMail()
    let last = latestNumber
    var turn = Turn()
    while !isOver(&turn, for: run),
      let index = blocks.firstIndex(where: { matches($0, run.mode) && $0.number <= last })
    {
      blocks.remove(at: index).body()
    }
  }

  func isOver(_ turn: inout Turn, for run: ModelRun) -> Bool {
    turn.isOver(for: run, at: now, readsClock: needsClock(run.mode))
  }

  // MARK: sources

  func signalledSources(in mode: Program.Mode) -> [Item] {
    members(of: mode).filter { $0.isSource && $0.isValid && $0.isSignalled }
      .sorted { ($0.order, $0.signalNumber) < ($1.order, $1.signalNumber) }
  }

  func performSources(of run: ModelRun) -> Bool {
    var wasPerformed = false
    round.sources = signalledSources(in: run.mode)
    while !round.sources.isEmpty {
      let source = round.sources.removeFirst()
      guard source.isValid, source.isSignalled, source.modes[run.mode] != nil else { continue }
      wasPerformed = true
      source.isSignalled = false
      noteHandled(source, run)
      source.call(.source)
      if run.returnsAfterSource { break }
    }
    round.sources = []
    return wasPerformed
  }

  func noteHandled(_ item: Item, _ run: ModelRun) {
    run.hasHandledSource = true
    item.timesHandled += 1
  }

  // MARK: timers

  func dueTimers(in mode: Program.Mode) -> [(timer: Item, arming: Int)] {
    members(of: mode).filter { $0.isArmed && $0.date! <= now }
      .sorted { ($0.date!, $0.modes[mode]!) < ($1.date!, $1.modes[mode]!) }
      .map { ($0, $0.armings[mode]!) }
  }

  func fireTimers(of run: ModelRun) {
    while !round.timers.isEmpty {
      let (timer, arming) = round.timers.removeFirst()
      guard timer.isValid, timer.isArmed, timer.modes[run.mode] != nil, timer.armings[run.mode] == arming
      else { continue }
      fire(timer)
    }
  }

  private func fire(_ timer: Item) {
    let scheduled = timer.date!
    timer.isArmed = false
    timer.isFiring = true
    timer.dateWasSet = false
    timer.call(.timer)
    timer.isFiring = false
    guard timer.isValid else { return }
    if timer.dateWasSet, timer.date != nil || timer.interval != nil {
      arm(timer)
    } else if let interval = timer.interval {
      timer.date = scheduled
      repeat { timer.date! += interval } while timer.date! <= now
      arm(timer)
    } else if timer.isRearmable {
      timer.date = nil
    } else {
      invalidate(timer)
    }
  }

  /// Arms it anew in all its modes, behind those of the same date.
  func arm(_ timer: Item) {
    timer.isArmed = timer.date != nil && !timer.modes.isEmpty
    let place = nextNumber()
    for mode in timer.modes.keys {
      timer.modes[mode] = place
      timer.armings[mode] = place
    }
    if timer.joinsSince != nil { timer.joinsSince = place }
  }

  // MARK: ports and descriptors

  func serveReady(of run: ModelRun) {
    while !round.ready.isEmpty {
      let found = round.ready.removeFirst()
      let wasHandled = found.item.isPort ? deliver(found.item, for: run) : tell(found, for: run)
      if wasHandled, run.returnsAfterSource { break }
    }
    putRoundBack(seenIn: run.mode)
  }
}
