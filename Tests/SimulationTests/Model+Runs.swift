import SimulationPrograms

extension Model {
  func run(_ asked: Act.Run) -> Event.Result {
    let run = ModelRun(asked, at: now, isSignalled: end(of: asked.way))
    if let outer = runs.last { putRoundBack(seenIn: outer.mode) }
    if runs.isEmpty {
      if keptStop.all { isStoppingAll = true }
      if keptStop.innermost { run.isStopped = true }
      keptStop = (false, false)
    }
    runs.append(run)
    runsBegun += 1
    var reason = passes(of: run)
    runs.removeLast()
    // A stop that came after the last pass had decided met this run all the same.
    if isStoppingAll || (run.isStopped && !run.passesOverStops) { reason = .stopped }
    if run.isStopped, run.passesOverStops { run.stopsPassedOver += 1 }
    if runs.isEmpty { isStoppingAll = false }
    return Event.Result(
      reason, handledSource: run.hasHandledSource, stopsPassedOver: run.stopsPassedOver)
  }

  /// What else ends a run.
  private func end(of way: Act.Way) -> () -> Bool {
    switch way {
    case .plain, .overStops: return { false }
    case .untilHandled(let number):
      let item = items[number]
      let before = item.timesHandled
      return { item.timesHandled != before || !item.isValid }
    case .untilToken(let token):
      awaitedTokens.insert(token)
      return { [self] in signalledTokens.contains(token) }
    }
  }

  private func passes(of run: ModelRun) -> Event.Reason {
    if isStopped(run) { return .stopped }
    acceptMail()
    if !run.waitsWhenEmpty, isEmpty(run.mode) { return .finished }
    call(.entry, in: run.mode)
    var reason: Event.Reason? = isStopped(run) ? .stopped : nil
    while reason == nil { reason = pass(of: run) }
    call(.exit, in: run.mode)
    return reason!
  }

  private func isStopped(_ run: ModelRun) -> Bool {
    if isStoppingAll { return true }
    guard run.isStopped else { return false }
    guard run.passesOverStops else { return true }
    run.isStopped = false
    run.stopsPassedOver += 1
    return false
  }

  private func pass(of run: ModelRun) -> Event.Reason? {
    let runsBefore = runsBegun
    isWakeRequested = false
    acceptMail()
    call(.beforeTimers, in: run.mode)
    call(.beforeSources, in: run.mode)
    drainBlocks(of: run)
    var isBusy = run.isSinglePass || run.leftWork
    run.leftWork = false
    if performSources(of: run) {
      isBusy = true
      drainBlocks(of: run)
    }
    if run.returnsAfterSource, run.hasHandledSource { return reason(toEnd: run) }
    acceptMail()
    if isBusy || hasBlocks(run.mode) {
      lookWhileBusy(run)
    } else {
      waitAndLook(run, runsBefore)
    }
    fireTimers(of: run)
    serveReady(of: run)
    drainBlocks(of: run)
    return reason(toEnd: run)
  }

  private func reason(toEnd run: ModelRun) -> Event.Reason? {
    if isStopped(run) { return .stopped }
    if run.isSignalled() { return .signalled }
    if run.returnsAfterSource, run.hasHandledSource { return .handledSource }
    if run.isSinglePass { return .timedOut }
    if let deadline = run.deadline, now >= deadline { return .timedOut }
    acceptMail()
    return !run.waitsWhenEmpty && isEmpty(run.mode) ? .finished : nil
  }

  /// A nested run, or who does not come to the rest, leaves what was found to be found again. An edge is not found a
  /// second time, and so it is kept.
  func putRoundBack(seenIn mode: Program.Mode) {
    let found = round.ready
    round = Round()
    for found in found where found.item.isEdge && found.item.isValid { keepEdge(found, in: mode) }
  }
}
