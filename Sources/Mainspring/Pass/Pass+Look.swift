import LinuxKernel
import Synchronization

extension RunLoop {
  /// A pass that must not sleep: it looks for what is due and ready, but not at every price.
  ///
  /// Like CFRunLoop's polling pass it calls neither beforeWaiting nor afterWaiting, but for every 64th in a row and
  /// after 8 ms of them, so that what is done at these activities is not starved by a source that signals itself.
  func lookWhileBusy(_ run: Run) {
    let view = run.view
    let now = needsClock(run) ? poller.now() : 0
    // The clock may not have been needed when they began.
    if run.busyPasses == 0 || run.busySince == 0 { run.busySince = now }
    run.busyPasses += 1
    if owesActivities(run, now) {
      run.busyPasses = 0
      notify(.beforeWaiting, .beforeWaiting, view)
      look(run, .zero)
      notify(.afterWaiting, .afterWaiting, view)
    } else if run.isSinglePass || isLookDue(run, now) {
      look(run, .zero)
    } else {
      acceptInbox()
      collectTimers(run, at: now)
      collectPorts(view)
      round.arrangeReady()
    }
    if now != 0, run.lastLook == 0 { run.lastLook = now }
  }

  func needsClock(_ run: Run) -> Bool {
    let view = run.view
    return view.timerLowerBound != .max || view.hasDescriptors || view.isObserved(.beforeWaiting)
      || view.isObserved(.afterWaiting)
  }

  private func owesActivities(_ run: Run, _ now: UInt64) -> Bool {
    guard !run.isSinglePass, run.view.isObserved(.beforeWaiting) || run.view.isObserved(.afterWaiting)
    else { return false }
    return run.busyPasses >= Limit.busyPassesBeforeActivities
      || now &- run.busySince >= Limit.busyTimeBeforeActivities
  }

  private func isLookDue(_ run: Run, _ now: UInt64) -> Bool {
    guard run.view.hasDescriptors else { return false }
    return run.busyPasses % Limit.busyPassesBeforeLook == 0
      || now &- run.lastLook >= Limit.busyTimeBeforeLook
  }

  /// A pass that may sleep. What an observer of beforeWaiting did is not slept over, nor what a nested run in any
  /// callout of the pass may have answered in the place of this one: a wake, say.
  func waitAndLook(_ run: Run, _ runsBefore: UInt64) {
    let view = run.view
    run.busyPasses = 0
    notify(.beforeWaiting, .beforeWaiting, view)
    acceptInbox()
    if runsBegun != runsBefore || hasWork(run) || isOver(run) {
      look(run, .zero)
    } else {
      look(run, waitLimit(run))
    }
    notify(.afterWaiting, .afterWaiting, view)
  }

  /// Whether something is to be done without waiting.
  private func hasWork(_ run: Run) -> Bool {
    let view = run.view
    return isWakeRequested || view.hasBlocks || hasLiveSignals(view)
      || hasLivePorts(view)
      || (view.waitSet?.isReady ?? false)
  }

  /// A list may hold sources that were removed or performed elsewhere since.
  private func hasLiveSignals(_ view: ModeView) -> Bool {
    guard view.hasSignalledSources else { return false }
    let isLive = { (source: Source) in source.isValid && source.isSignalled && view.includes(source) }
    return view.own.signalled.contains(where: isLive)
      || view.common?.signalled.contains(where: isLive) ?? false
  }

  /// A list may hold ports whose messages were delivered in another of their modes.
  private func hasLivePorts(_ view: ModeView) -> Bool {
    guard view.hasReadyPorts else { return false }
    let isLive = { (port: AnyPort) in port.isValid && port.hasMessages && view.includes(port) }
    return view.own.readyPorts.contains(where: isLive)
      || view.common?.readyPorts.contains(where: isLive) ?? false
  }

  private func isOver(_ run: Run) -> Bool {
    isInherited || stops.isStopped || (run.isSignalled?() ?? false)
      || (run.whenEmpty == .finish && run.view.isEmpty)
  }

  private func waitLimit(_ run: Run) -> WaitLimit {
    var wake = min(run.view.nextTimerWake(), run.deadline ?? .max)
    if run.view.hasOtherTimers { wake = min(wake, setAlarms(of: run.view)) }
    return wake == .max ? .none : .until(wake)
  }

  /// Lets the wait end for the timers of other clocks. Where the kernel has no alarm left, gives the monotonic date at
  /// which to look at those clocks.
  private func setAlarms(of view: ModeView) -> UInt64 {
    var look = UInt64.max
    for clock in [TimerClock.boot, .wall] {
      let wake = view.nextTimerWake(on: clock)
      if (try? waitSet(of: view).setAlarm(on: clock, at: wake == .max ? nil : wake)) != nil { continue }
      let distance = min(wake - min(wake, poller.now(on: clock)), Limit.sleepWithoutAlarm)
      look = min(look, poller.now() &+ distance)
    }
    return look
  }

  /// Waits and collects what is due and ready into the round.
  private func look(_ run: Run, _ asked: WaitLimit) {
    let view = run.view
    if view.needsWaitSet { _ = waitSet(of: view) } else { view.giveBackWaitSet() }
    // Just made, the set may know already of something that is ready whatever the kernel says.
    let limit = view.waitSet?.isReady ?? false ? .zero : asked
    if limit == .zero {
      collectDescriptors(view, limit)
    } else {
      showProgress(.waiting)
      if let tracer { tracer.entered(.waiting, nesting: stops.depth, site: nil) }
      sleep(run, limit)
      showAwake()
    }
    acceptInbox()
    let now = view.timerLowerBound != .max || view.needsWaitSet ? poller.now() : 0
    run.lastLook = now
    collectTimers(run, at: now)
    collectPorts(view)
    round.arrangeReady()
  }

  /// Sleeps until something concerns this run. An end of the wait without a reason (a ring that was meant for
  /// another mode's set, a signal) leads back to sleep and makes no pass.
  private func sleep(_ run: Run, _ first: WaitLimit) {
    let view = run.view
    let runsBefore = runsBegun
    var limit = first
    while true {
      // Where the kernel has no set to give, its sources were told, and the loop sleeps as if they were not there.
      let waitSet = view.waitSet?.isOpen ?? false ? view.waitSet : nil
      let code = SleepCode(
        mode: view.mode, isCommon: view.common != nil || commonModes.contains(view.mode),
        usesDescriptor: waitSet != nil)
      _ = bell.sleep(as: code, unless: { hasNews }) {
        guard let waitSet else { return poller.sleep(as: code, on: bell, limit: limit) }
        waitSet.wait(limit) { round.ready.append(.descriptor($0, $1)) }
      }
      if !inbox.seemsEmpty {
        // Changes are the user's code: they are not to look like sleep, and may run the loop.
        showAwake()
        acceptInbox()
        if runsBegun != runsBefore { return }
        showProgress(.waiting)
      }
      if !round.ready.isEmpty || hasWork(run) || isOver(run) { return }
      if view.waitSet == nil, view.needsWaitSet { return }
      if view.hasOtherTimers, hasDueOtherTimer(view) { return }
      // Asked anew: what came may have put the date off, and then nobody is to be woken at the old one.
      limit = waitLimit(run)
      if case .until(let date) = limit, poller.now() >= date { return }
    }
  }

  /// What the sleeper looks at once more after it has announced its sleep.
  private var hasNews: Bool {
    !inbox.isEmpty || stops.isStopped || isWakeRequested
  }

  private func collectDescriptors(_ view: ModeView, _ limit: WaitLimit) {
    view.waitSet?.wait(limit) { round.ready.append(.descriptor($0, $1)) }
  }

  private func collectTimers(_ run: Run, at now: UInt64) {
    let view = run.view
    if view.timerLowerBound <= now {
      view.advanceTimers(to: now)
      while round.timers.count < Limit.timersPerPass, let timer = view.takeDueTimer(at: now) {
        round.timers.append(timer)
      }
    }
    if view.hasOtherTimers { collectOtherTimers(of: view, at: now) }
    if round.timers.isEmpty { return }
    if round.timers.count >= Limit.timersPerPass { run.leftWork = true }
    round.timers.reverse()
  }

  /// Sets the timers of other clocks that are due among those of the monotonic clock: whoever has waited longest is
  /// first, as one clock would have it.
  private func collectOtherTimers(of view: ModeView, at now: UInt64) {
    var dated = round.timers.map { (date: $0.scheduled, timer: $0) }
    for clock in [TimerClock.boot, .wall] {
      let then = poller.now(on: clock)
      for timer in view.takeDueTimers(on: clock, at: then, atMost: Limit.timersPerPass) {
        let lateness = then - min(then, timer.scheduled)
        dated.append((now - min(now, lateness), timer))
      }
    }
    guard dated.count > round.timers.count else { return }
    let sorted = dated.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
    round.timers = sorted.map(\.element.timer)
  }

  /// Whether a timer of another clock is due, or the wall clock was set and its alarm is to be set anew.
  private func hasDueOtherTimer(_ view: ModeView) -> Bool {
    [TimerClock.boot, .wall].contains { view.nextTimerWake(on: $0) <= poller.now(on: $0) }
  }

  private func collectPorts(_ view: ModeView) {
    guard view.hasReadyPorts else { return }
    for port in view.takeReadyPorts() { round.ready.append(.port(port)) }
  }
}
