import LinuxKernel
import Synchronization

extension RunLoop {
  /// Runs the loop in a mode until something ends the run, and says what.
  ///
  /// Every callout may run the loop again, in any mode; the mode of this run is put back when that returns.
  ///
  /// - Parameters:
  ///   - limit: how long at most, on the monotonic clock; zero or less means one pass without sleeping, nil no limit.
  ///     It interrupts no callout.
  ///   - returnAfterSourceHandled: whether the first source, port or descriptor source that is handled ends it.
  ///   - whenEmpty: what to do when nothing in the mode could ever call anybody.
  /// - Precondition: on the loop's thread, and not in `.common`, which is no mode of its own.
  @discardableResult
  public func run(
    in mode: Mode, for limit: Duration? = nil, returnAfterSourceHandled: Bool = false,
    whenEmpty: EmptyPolicy = .finish
  ) -> RunResult {
    var manner = Run.Manner(whenEmpty)
    if returnAfterSourceHandled { manner.insert(.returnsAfterSourceHandled) }
    return run(in: mode, limit: limit, manner, until: nil)
  }

  /// Runs in the default mode until it is stopped or has nothing left. One with nothing to begin with is finished at
  /// once.
  @discardableResult
  public func run() -> RunResult { run(in: .default) }

  /// Runs until `date`, counting the stops of the innermost run and going on after them: only the date, a stop of
  /// all runs, or an empty mode (unless told to wait) ends it. A date in the past means one pass without sleeping.
  @discardableResult
  public func run(
    until date: Instant, in mode: Mode = .default, whenEmpty: EmptyPolicy = .finish
  ) -> RunResult {
    let limit: Duration? = date == .distantFuture ? nil : now.duration(to: date)
    return run(in: mode, limit: limit, Run.Manner(whenEmpty).union(.goesOnAfterStops), until: nil)
  }

  /// Runs on whatever stops the innermost run: only a stop of all runs or an empty mode ends it.
  @discardableResult
  public func runThroughStops(in mode: Mode = .default, whenEmpty: EmptyPolicy = .finish) -> RunResult {
    run(in: mode, limit: nil, Run.Manner(whenEmpty).union(.goesOnAfterStops), until: nil)
  }

  /// Runs until a source was performed, a port delivered or a descriptor source was called: this one. Also until it is
  /// invalid, for then that will never be. The reason is `.signalled` in both cases.
  ///
  /// - Precondition: the item is neither a timer nor an observer.
  @discardableResult
  public func run(untilHandled item: Item, in mode: Mode = .default, for limit: Duration? = nil) -> RunResult
  {
    require(
      !(item is Timer) && !(item is Observer) && !(item is DisplayLink),
      "\(item) is neither a source nor a port")
    awaitingRuns += 1
    defer { awaitingRuns -= 1 }
    return run(in: mode, limit: limit, [], until: .item(item.servedPart))
  }

  /// Runs until the token is signalled, also with nothing in the mode. The reason is `.signalled` then.
  ///
  /// - Precondition: no other loop waits, or has waited, for the token.
  @discardableResult
  public func run(until token: Token, in mode: Mode = .default, for limit: Duration? = nil) -> RunResult {
    requireOwnThread(to: "run")
    token.waits(for: self)
    return run(in: mode, limit: limit, .waitsWhenEmpty, until: .token(token))
  }

  @inline(__always)
  func run(
    in mode: Mode, limit: Duration?, _ asked: Run.Manner, until awaited: Run.Awaited?
  ) -> RunResult {
    if !isOnOwnThread || hasEnded || mode == .common { refuseRun(in: mode) }
    var (manner, deadline) = (asked.union(ownManner), UInt64.max)
    if let limit {
      if limit.attoseconds <= 0 {
        manner.insert(.singlePass)
      } else {
        deadline = now.advanced(by: limit).nanoseconds
      }
    }
    return unsafe borrowedView(of: mode)._withUnsafeGuaranteedRef { view in
      if runs.count == runDepth { runs.append(Run(view)) }
      // SAFETY: the loop keeps its run objects.
      return unsafe Unmanaged.passUnretained(runs[runDepth])._withUnsafeGuaranteedRef { run in
        run.begin(view, deadline: deadline, manner, until: awaited)
        return self.run(run, view)
      }
    }
  }

  @inline(never)
  private func refuseRun(in mode: Mode) {
    requireOwnThread(to: "run")
    require(
      mode != .common, "a loop cannot run in .common: it stands for modes and is none; name one of them")
    require(!hasEnded, "the loop has ended with its thread")
  }

  /// What the passes on the stack have found is the nested run's, and what the beacon shows is put back after it.
  @inline(never)
  private func beginNested(_ run: Run) {
    run.outer = Run.Shown(
      state: Beacon.State(rawValue: beacon.state.load(ordering: .relaxed)), site: beacon.site, run: shownRun)
    putRoundBack(seenBy: runs[runDepth - 1].view)
    if let delivering, delivering.letNestedRunDeliver() { enlistReady(delivering) }
  }

  private func run(_ run: Run, _ view: ModeView) -> RunResult {
    if runDepth > 0 { beginNested(run) }
    if hosting != nil { noteRunForHost(run) }
    let wasUpdating = isUpdating
    isUpdating = false
    let departedBefore = departed.count
    let beginning = stops.beginRun()
    runsBegun &+= 1
    if runsBegun == 1 { hasRunFlag.store(true, ordering: .relaxed) }
    runDepth &+= 1
    shownRun = Beacon.State.run(mode: view.mode, nesting: runDepth)
    // From outside to busy without a wait between: a parked watcher must be told all the same.
    if runDepth == 1 { showAwake() }
    var reason =
      run.isHostedOrEnclosed
      ? passesInCompany(of: run, view, after: beginning.stops) : passes(of: run, view, after: beginning.stops)
    runDepth &-= 1
    isUpdating = wasUpdating
    if view.waitSet != nil, !view.needsWaitSet { view.giveBackWaitSet() }
    let met = stops.endRun(beginning)
    // A stop that came after the last pass had decided met this run all the same.
    if met.all || met.innermost { answerLateStop(met, run, &reason) }
    if runDepth > 0 {
      showEnd(inside: run.outer)
    } else {
      shownRun = Beacon.State.outsideRuns
      showProgress(.outside)
    }
    // Before others have a turn: what they run uses the object again.
    let result = run.result(reason)
    if hosting != nil { noteRunForHost(run) }
    run.end()
    answerDepartures()
    if departed.count > departedBefore { releaseDeparted(downTo: departedBefore) }
    return result
  }

  @inline(never)
  private func answerLateStop(_ met: StopWord.Stops, _ run: Run, _ reason: inout RunResult.Reason) {
    if met.all || !run.goesOnAfterStops { reason = .stopped }
    if met.innermost, run.goesOnAfterStops { run.stopsPassedOver += 1 }
  }

  func passes(of run: Run, _ view: ModeView, after kept: StopWord.Stops) -> RunResult.Reason {
    if kept.all || (kept.innermost && !run.goesOnAfterStops) { return .stopped }
    if kept.innermost { run.stopsPassedOver += 1 }
    // The thread does what was sent to it before it was stopped: any other run would wait for more.
    if inbox.refusesBlocks, !isFinishing || runDepth > 1 { return .stopped }
    acceptInbox()
    if run.finishesWhenEmpty, isEmpty(view) { return .finished }
    notify(.entry, .entry, view)
    let departedBefore = departed.count
    var reason: RunResult.Reason? = isStopped(run) ? .stopped : nil
    while reason == nil {
      reason = pass(of: run, view)
      if departed.count > departedBefore { releaseDeparted(downTo: departedBefore) }
    }
    notify(.exit, .exit, view)
    return reason!
  }

  /// The pass is over in which these left. Those that an outer run is calling, or has yet to look at, live on until its
  /// pass is over.
  @inline(never)
  func releaseDeparted(downTo count: Int) {
    // Taken out first: an item's end is the user's code, which may run the loop.
    let leaving = Array(departed[count...])
    departed.removeLast(departed.count - count)
    // What is called outside runs is held by who calls it.
    guard isInRun else { return }
    var kept: Set<ObjectIdentifier> = []
    // Each once, however often it came and left: a nested run may go on for long.
    for item in leaving where isInUse(item) && kept.insert(ObjectIdentifier(item)).inserted {
      departed.append(item)
    }
  }

  /// Whether it is being called, or stands on the list of an activity that is on.
  private func isInUse(_ item: Item) -> Bool {
    item.isInCallout || (listing != 0 && (item as? Observer)?.wasAdded(before: listing) ?? false)
  }

  /// Gives the beacon back to the callout that this run was nested in.
  @inline(never)
  private func showEnd(inside outer: Run.Shown) {
    shownRun = outer.run
    beacon.show(outer.site)
    showProgress(outer.state.phase)
  }

  // MARK: asking

  /// The mode of the innermost run, nil outside runs. Only on the loop's thread.
  public var currentMode: Mode? {
    requireOwnThread(to: "ask the mode of")
    return innermost?.view.mode
  }

  /// The default mode and those that hold or held anything. Only on the loop's thread.
  public var modes: [Mode] {
    requireOwnThread(to: "ask the modes of")
    let used = scopes.filter(\.wasUsed).map(\.mode)
    return [.default] + used.filter { $0 != .default && $0 != .common }
  }

  /// When the loop has to be awake for the timers of a mode at the latest, nil if none is armed: for who hosts the loop.
  /// Only on the loop's thread. May lie in the past.
  ///
  /// For a timer on another clock than the monotonic, as far as can be told now.
  public func nextTimerDate(in mode: Mode) -> Instant? {
    requireOwnThread(to: "ask the timers of")
    let view = view(of: mode)
    let wake = min(view.nextTimerWake(), nextWakeOfOtherClocks(view))
    return wake == .max ? nil : Instant(nanoseconds: wake)
  }

  /// When the loop has to be awake for the timers of other clocks, as far as can be told now, on the monotonic one.
  func nextWakeOfOtherClocks(_ view: ModeView) -> UInt64 {
    guard view.hasOtherTimers else { return .max }
    return [TimerClock.boot, .wall].reduce(.max) {
      min($0, poller.monotonicDate(of: view.nextTimerWake(on: $1), on: $1))
    }
  }
}
