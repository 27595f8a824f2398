import Synchronization

extension RunLoop {
  /// The passes of a turn: those that there is work for, up to the one that stands at its wait then.
  func hostedPasses(
    of run: Run, _ view: ModeView, after kept: StopWord.Stops
  ) -> RunResult.Reason {
    guard let hosting else { return .stopped }
    let isStopped = kept.all || kept.innermost || (inbox.refusesBlocks && !isFinishing)
    let reason = isStopped && !hosting.isOver ? .stopped : passes(of: hosting, run, view)
    if hosting.isOver { endPasses(hosting, view) }
    return reason
  }

  private func passes(of hosting: Hosting, _ run: Run, _ view: ModeView) -> RunResult.Reason {
    acceptInbox()
    if !hosting.hasEntered, !hosting.isOver {
      hosting.hasEntered = true
      notify(.entry, .entry, view)
      if isStopped(run) { return .stopped }
    }
    let departedBefore = departed.count
    let begin = poller.coarseNow()
    for _ in 0..<Limit.passesPerHostedTurn {
      if hosting.isOver { return .timedOut }
      let end = hosting.isAtWait ? goOn(hosting, run, view) : hostedPass(hosting, run, view)
      if departed.count > departedBefore { releaseDeparted(downTo: departedBefore) }
      switch end {
      case .endsRun(let reason): return reason
      case .liesDown: return .timedOut
      case .goesOn: if poller.coarseNow() &- begin >= Limit.timePerTurn { return leaveMore(hosting) }
      }
    }
    return leaveMore(hosting)
  }

  private func leaveMore(_ hosting: Hosting) -> RunResult.Reason {
    hosting.hasMore = true
    return .timedOut
  }

  /// How a pass of a turn ends.
  private enum HostedPassEnd {
    case goesOn, liesDown
    case endsRun(RunResult.Reason)

    init(_ reason: RunResult.Reason?) { self = reason.map { .endsRun($0) } ?? .goesOn }
  }

  /// A pass that stops where it would wait.
  private func hostedPass(_ hosting: Hosting, _ run: Run, _ view: ModeView) -> HostedPassEnd {
    let runsBefore = runsBegun
    switch passUntilWait(of: run, view) {
    case .endsRun: break
    case .busy: lookWhileBusy(run, view)
    case .mayWait:
      run.busyPasses = 0
      notify(.beforeWaiting, .beforeWaiting, view)
      acceptInbox()
      let mayLieDown = runsBegun == runsBefore && !hasWork(view) && !isOver(run, view)
      look(run, view)
      if mayLieDown, round.isEmpty, !hasWork(view), liesDown(hosting, run, view) { return .liesDown }
      notify(.afterWaiting, .afterWaiting, view)
    }
    return HostedPassEnd(passFromWait(of: run, view))
  }

  /// The host has woken the loop, or a nested turn has left it lying down: the pass goes on from its wait.
  private func goOn(_ hosting: Hosting, _ run: Run, _ view: ModeView) -> HostedPassEnd {
    hosting.isAtWait = false
    look(run, view)
    notify(.afterWaiting, .afterWaiting, view)
    return HostedPassEnd(passFromWait(of: run, view))
  }

  /// Leaves the sleeping to the host, unless something has come.
  private func liesDown(_ hosting: Hosting, _ run: Run, _ view: ModeView) -> Bool {
    let date = waitLimit(run, view).date
    // Where the kernel has no room for the mode's descriptors the loop looks at them itself, a turn after the other.
    guard (try? hosting.set.watch(view.waitSet?.present)) != nil else { return false }
    hosting.set.takeRings()
    let code = SleepCode(mode: view.mode, isCommon: view.isCommon, usesDescriptor: true)
    guard bell.lieDown(as: code, unless: { hasNews }) else { return false }
    hosting.set.setAlarm(date)
    hosting.isArmed = true
    hosting.isAtWait = true
    beacon.hasWaited.store(true, ordering: .relaxed)
    return true
  }

  private func endPasses(_ hosting: Hosting, _ view: ModeView) {
    // Those around this one have their own stations to go through first.
    guard hosting.depth == 1 else { return }
    if hosting.isAtWait {
      hosting.isAtWait = false
      notify(.afterWaiting, .afterWaiting, view)
    }
    if hosting.hasEntered { notify(.exit, .exit, view) }
    hosting.hasEntered = false
  }
}
