import LinuxKernel
import Synchronization

extension RunLoop {
  /// A pass that must not sleep: it looks for what is due and ready, but not at every price.
  ///
  /// Like CFRunLoop's polling pass it calls neither beforeWaiting nor afterWaiting, but for every 64th in a row and
  /// after 8 ms of them, so that what is done at these activities is not starved by a source that signals itself.
  func lookWhileBusy(_ run: Run, _ view: ModeView) {
    // The only pass of its run: it looks, and owes nothing to earlier ones.
    if run.isSinglePass { return look(run, view) }
    let now = needsClock(view) ? poller.now() : 0
    // The clock may not have been needed when they began.
    if run.busyPasses == 0 || run.busySince == 0 { run.busySince = now }
    run.busyPasses += 1
    if owesActivities(run, view, now) {
      run.busyPasses = 0
      notify(.beforeWaiting, .beforeWaiting, view)
      look(run, view)
      notify(.afterWaiting, .afterWaiting, view)
    } else if isLookDue(run, view, now) {
      look(run, view)
    } else {
      acceptInbox()
      collectTimers(run, view, at: now)
      collectPorts(view)
      round.arrangeReady()
    }
    if now != 0, run.lastLook == 0 { run.lastLook = now }
  }

  func needsClock(_ view: ModeView) -> Bool {
    view.timerLowerBound != .max || view.hasDescriptors || view.isObserved(.beforeWaiting)
      || view.isObserved(.afterWaiting)
  }

  private func owesActivities(_ run: Run, _ view: ModeView, _ now: UInt64) -> Bool {
    guard view.isObserved(.beforeWaiting) || view.isObserved(.afterWaiting) else { return false }
    return run.busyPasses >= Limit.busyPassesBeforeActivities
      || now &- run.busySince >= Limit.busyTimeBeforeActivities
  }

  private func isLookDue(_ run: Run, _ view: ModeView, _ now: UInt64) -> Bool {
    guard view.hasDescriptors else { return false }
    return run.busyPasses % Limit.busyPassesBeforeLook == 0
      || now &- run.lastLook >= Limit.busyTimeBeforeLook
  }

  /// A pass that may sleep. What an observer of beforeWaiting did is not slept over, nor what a nested run in any
  /// callout of the pass may have answered in the place of this one: a wake, say.
  func waitAndLook(_ run: Run, _ view: ModeView, _ runsBefore: UInt64) {
    run.busyPasses = 0
    notify(.beforeWaiting, .beforeWaiting, view)
    acceptInbox()
    if runsBegun != runsBefore || hasWork(view) || isOver(run, view) {
      wait(run, view, .zero)
    } else {
      wait(run, view, waitLimit(run, view))
    }
    notify(.afterWaiting, .afterWaiting, view)
  }

  /// Whether something is to be done without waiting.
  func hasWork(_ view: ModeView) -> Bool {
    isWakeRequested || view.hasBlocks || hasJobs(view) || view.hasWorkingObserver
      || hasLiveSignals(view) || hasLivePorts(view)
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

  func isOver(_ run: Run, _ view: ModeView) -> Bool {
    isInherited || stops.isStopped || run.isSignalled || (run.finishesWhenEmpty && isEmpty(view))
  }

  func waitLimit(_ run: Run, _ view: ModeView) -> WaitLimit {
    var wake = min(view.nextTimerWake(), run.deadline)
    if view.hasOtherTimers { wake = min(wake, setAlarms(of: view)) }
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
  private func wait(_ run: Run, _ view: ModeView, _ limit: WaitLimit) {
    prepareWaitSet(view)
    // Just made, the set may know already of something that is ready whatever the kernel says.
    if limit == .zero || view.waitSet?.isReady ?? false || isPast(limit) {
      collectDescriptors(view)
    } else {
      showProgress(.waiting)
      if tracer != nil { tellTests(.waiting, nil) }
      sleep(run, view, limit)
      beacon.hasWaited.store(true, ordering: .relaxed)
      showAwake()
    }
    collect(run, view)
  }

  private func isPast(_ limit: WaitLimit) -> Bool {
    if case .until(let date) = limit { date <= poller.now() } else { false }
  }

  /// Collects what is due and ready into the round, without waiting.
  @inline(__always)
  func look(_ run: Run, _ view: ModeView) {
    prepareWaitSet(view)
    if view.waitSet != nil { collectDescriptors(view) }
    collect(run, view)
  }

  @inline(__always)
  private func prepareWaitSet(_ view: ModeView) {
    if view.needsWaitSet {
      if view.waitSet == nil { _ = waitSet(of: view) }
    } else if view.waitSet != nil {
      view.giveBackWaitSet()
    }
  }

  @inline(__always)
  private func collect(_ run: Run, _ view: ModeView) {
    acceptInbox()
    if view.hasTimers || (!run.isSinglePass && view.hasDescriptors) {
      let now = poller.now()
      run.lastLook = now
      collectTimers(run, view, at: now)
    } else {
      run.lastLook = 0
    }
    collectPorts(view)
    round.arrangeReady()
  }

  /// Sleeps until something concerns this run. An end of the wait without a reason (a ring that was meant for
  /// another mode's set, a signal) leads back to sleep and makes no pass.
  private func sleep(_ run: Run, _ view: ModeView, _ first: WaitLimit) {
    let runsBefore = runsBegun
    var limit = first
    while true {
      // Where the kernel has no set to give, its sources were told, and the loop sleeps as if they were not there.
      let waitSet = view.waitSet?.isOpen ?? false ? view.waitSet : nil
      let code = SleepCode(
        mode: view.mode, isCommon: view.isCommon, usesDescriptor: waitSet != nil)
      if spin(until: limit.date ?? .max, view) {
        waitSet?.wait(.zero, into: &round)
      } else {
        let slept = bell.sleep(as: code, unless: { hasNews }) {
          guard let waitSet else { return poller.sleep(as: code, on: bell, limit: limit) }
          waitSet.wait(limit, into: &round)
        }
        if slept?.rung ?? false { noteRing() }
      }
      if !inbox.seemsEmpty {
        // Changes are the user's code: they are not to look like sleep, and may run the loop.
        showAwake()
        acceptInbox()
        if runsBegun != runsBefore { return }
        showProgress(.waiting)
      }
      if !round.ready.isEmpty || hasWork(view) || isOver(run, view) { return }
      if view.waitSet == nil, view.needsWaitSet { return }
      if view.hasOtherTimers, hasDueOtherTimer(view) { return }
      // Asked anew: what came may have put the date off, and then nobody is to be woken at the old one.
      limit = waitLimit(run, view)
      if isPast(limit) { return }
    }
  }

  /// What the sleeper looks at once more after it has announced its sleep.
  var hasNews: Bool {
    !inbox.isEmpty || stops.isStopped || isWakeRequested
  }

  @inline(__always)
  private func collectDescriptors(_ view: ModeView) {
    unsafe view.borrowedWaitSet?._withUnsafeGuaranteedRef {
      $0.wait(.zero, into: &round)
    }
  }

  @inline(__always)
  private func collectTimers(_ run: Run, _ view: ModeView, at now: UInt64) {
    if view.timerLowerBound <= now || view.hasOtherTimers { collectDueTimers(run, view, at: now) }
  }

  @inline(never)
  private func collectDueTimers(_ run: Run, _ view: ModeView, at now: UInt64) {
    if view.timerLowerBound <= now {
      view.advanceTimers(to: now)
      unsafe view.takeDueTimers(at: now, into: &round.timers, atMost: Limit.timersPerPass)
    }
    if view.hasOtherTimers { collectOtherTimers(of: view, at: now) }
    if unsafe round.timers.isEmpty { return }
    if unsafe round.timers.count >= Limit.timersPerPass { run.leftWork = true }
    unsafe round.timers.reverse()
  }

  /// Sets the timers of other clocks that are due among those of the monotonic clock: whoever has waited longest is
  /// first, as one clock would have it.
  private func collectOtherTimers(of view: ModeView, at now: UInt64) {
    // SAFETY: as the round's.
    var dated = unsafe round.timers.map { unsafe (date: $0._withUnsafeGuaranteedRef { $0.due }, timer: $0) }
    for clock in [TimerClock.boot, .wall] {
      let then = poller.now(on: clock)
      let taken = unsafe view.takeDueTimers(on: clock, at: then, atMost: Limit.timersPerPass)
      for index in unsafe taken.indices {
        let due = unsafe taken[index]._withUnsafeGuaranteedRef { $0.due }
        unsafe dated.append((now - min(now, then - min(then, due)), taken[index]))
      }
    }
    guard unsafe dated.count > round.timers.count else { return }
    let sorted = unsafe dated.enumerated().sorted {
      unsafe ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
    }
    unsafe round.timers = unsafe ContiguousArray(sorted.map { unsafe $0.element.timer })
  }

  /// Whether a timer of another clock is due, or the wall clock was set and its alarm is to be set anew.
  private func hasDueOtherTimer(_ view: ModeView) -> Bool {
    [TimerClock.boot, .wall].contains { view.nextTimerWake(on: $0) <= poller.now(on: $0) }
  }

  @inline(__always)
  private func collectPorts(_ view: ModeView) {
    if view.hasReadyPorts { collectReadyPorts(view) }
  }

  @inline(never)
  private func collectReadyPorts(_ view: ModeView) {
    for port in view.takeReadyPorts() { unsafe round.ready.append(.port(Unmanaged.passUnretained(port))) }
  }
}
