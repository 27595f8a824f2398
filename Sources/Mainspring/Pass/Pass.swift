import Synchronization

extension RunLoop {
  /// One turn of a run, in CFRunLoop's order. Returns why the run ends, or nil if another pass follows.
  ///
  /// The jobs of executors are drained with the blocks. Where others come in, when they are there: the main dispatch
  /// queue has its peek after the second drain (`peekAtQueue(for:_:)`); a host has the pass stop where it would wait
  /// (`hostedPass(of:_:)`).
  func pass(of run: Run, _ view: ModeView) -> RunResult.Reason? {
    let runsBefore = runsBegun
    switch passUntilWait(of: run, view) {
    case .endsRun: return reason(toEnd: run, view)
    case .busy: lookWhileBusy(run, view)
    case .mayWait: waitAndLook(run, view, runsBefore)
    }
    return passFromWait(of: run, view)
  }

  /// How a pass goes on after its sources.
  enum MidPass { case endsRun, busy, mayWait }

  /// The stations before the wait.
  @inline(__always)
  func passUntilWait(of run: Run, _ view: ModeView) -> MidPass {
    passesBegun &+= 1
    showProgress(.betweenCallouts)
    acceptWakes()
    notify(.beforeTimers, .beforeTimers, view)
    notify(.beforeSources, .beforeSources, view)
    drainBlocks(of: view)
    var isBusy = run.isSinglePass || run.leftWork
    run.leftWork = false
    if performSources(for: run, view) {
      isBusy = true
      drainBlocks(of: view)
    }
    if run.looksAfterSources {
      if endsAfterSource(run) { return .endsRun }
      if peekAtQueue(for: run, view) {
        if endsAfterSource(run) { return .endsRun }
        isBusy = true
      }
    }
    // What the callouts sent to the loop's inbox counts as well: what is left makes the pass busy.
    acceptInbox()
    return isBusy || view.hasBlocks || hasJobs(view) ? .busy : .mayWait
  }

  /// The stations behind it: what was found is served.
  @inline(__always)
  func passFromWait(of run: Run, _ view: ModeView) -> RunResult.Reason? {
    serveRound(of: run, view)
    drainBlocks(of: view)
    return reason(toEnd: run, view)
  }

  /// Wakes that came until now are answered by the pass that begins.
  @inline(__always)
  private func acceptWakes() {
    takeWakeRequest()
    acceptInbox()
  }

  private func endsAfterSource(_ run: Run) -> Bool { run.returnsAfterSourceHandled && run.hasHandledSource }

  /// Why the run ends, if it does: decided here alone, at the end of each pass.
  private func reason(toEnd run: Run, _ view: ModeView) -> RunResult.Reason? {
    // A callout forked, and this is the child: nothing here is its own.
    if isInherited { return .finished }
    if isStopped(run) { return .stopped }
    if run.isSignalled { return .signalled }
    if endsAfterSource(run) { return .handledSource }
    if run.isSinglePass { return .timedOut }
    if run.deadline != .max, poller.now() >= run.deadline { return .timedOut }
    acceptInbox()
    if run.finishesWhenEmpty, isEmpty(view) { return .finished }
    return nil
  }

  /// Whether a stop ends the run; counts those that it goes on after.
  @inline(__always)
  func isStopped(_ run: Run) -> Bool {
    stops.isStopped && isStoppedNow(run)
  }

  @inline(never)
  private func isStoppedNow(_ run: Run) -> Bool {
    guard run.goesOnAfterStops, !stops.isStoppedEntirely else { return true }
    if stops.passOverStop() { run.stopsPassedOver += 1 }
    return stops.isStoppedEntirely
  }
}
