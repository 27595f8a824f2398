import Synchronization

extension RunLoop {
  /// One turn of a run, in CFRunLoop's order. Returns why the run ends, or nil if another pass follows.
  ///
  /// Where others come in, when they are there: the jobs of executors are drained with the blocks; the main
  /// dispatch queue has its peek after the second drain; a host that runs this loop as a guest calls for one
  /// such turn with a limit of zero.
  func pass(of run: Run, _ view: ModeView) -> RunResult.Reason? {
    let runsBefore = runsBegun
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
    if endsAfterSource(run) { return reason(toEnd: run, view) }
    // What the callouts sent to the loop's inbox counts as well: what is left makes the pass busy.
    acceptInbox()
    if isBusy || view.hasBlocks {
      lookWhileBusy(run, view)
    } else {
      waitAndLook(run, view, runsBefore)
    }
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
    if run.finishesWhenEmpty, view.isEmpty { return .finished }
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
