import SimulationPrograms

extension Model {
  // MARK: what is in a mode

  func members(of mode: Program.Mode) -> [Item] { items.filter { $0.modes[mode] != nil } }

  func isEmpty(_ mode: Program.Mode) -> Bool {
    !hasBlocks(mode)
      && !members(of: mode).contains {
        $0.isSource || $0.isPort || $0.isDescriptor || $0.isArmed || $0.hasWork
      }
  }

  func hasBlocks(_ mode: Program.Mode) -> Bool { blocks.contains { matches($0, mode) } }

  func matches(_ block: ModelBlock, _ mode: Program.Mode) -> Bool {
    block.modes.contains(mode) || (block.modes.contains(.common) && commonModes.contains(mode))
  }

  func nextDate(in mode: Program.Mode) -> Int? {
    members(of: mode).filter { $0.isArmed }.compactMap(\.date).min()
  }

  /// What is not slept over.
  private func hasWork(_ run: ModelRun) -> Bool {
    isWakeRequested || hasBlocks(run.mode) || !signalledSources(in: run.mode).isEmpty
      || !readyPorts(in: run.mode).isEmpty || hasKeptEdge(in: run.mode)
      || members(of: run.mode).contains { $0.hasWork }
  }

  private func isOver(_ run: ModelRun) -> Bool {
    run.isStopped || isStoppingAll || run.isSignalled() || (!run.waitsWhenEmpty && isEmpty(run.mode))
  }

  // MARK: looking

  /// A pass that must not sleep. It spares itself some of the looks at the descriptors, and all but every 64th, or one
  /// after 8 ms, go without the waiting activities.
  func lookWhileBusy(_ run: ModelRun) {
    // The clock is read only where somebody needs it (M5), and so the time counts from there.
    if run.busyPasses == 0 { run.busySince = nil }
    if run.busySince == nil, needsClock(run.mode) { run.busySince = now }
    run.busyPasses += 1
    if isObservedWaiting(run.mode), !run.isSinglePass,
      run.busyPasses >= 64 || now - (run.busySince ?? now) >= 8
    {
      run.busyPasses = 0
      call(.beforeWaiting, in: run.mode)
      look(run, canSleep: false)
      call(.afterWaiting, in: run.mode)
    } else if run.isSinglePass || isLookDue(run) {
      look(run, canSleep: false)
    } else {
      acceptMail()
      findTimersAndPorts(run)
    }
    if needsClock(run.mode), run.lastLook == nil { run.lastLook = now }
  }

  private func isLookDue(_ run: ModelRun) -> Bool {
    guard hasDescriptors(run.mode) else { return false }
    guard let lastLook = run.lastLook else { return true }
    return run.busyPasses.isMultiple(of: 16) || now - lastLook >= 1
  }

  func needsClock(_ mode: Program.Mode) -> Bool {
    members(of: mode).contains { $0.isArmed || $0.isDescriptor } || isObservedWaiting(mode)
  }

  private func isObservedWaiting(_ mode: Program.Mode) -> Bool {
    members(of: mode).contains { !$0.activities.isDisjoint(with: [.beforeWaiting, .afterWaiting]) }
  }

  func waitAndLook(_ run: ModelRun, _ runsBefore: Int) {
    run.busyPasses = 0
    call(.beforeWaiting, in: run.mode)
    acceptMail()
    look(run, canSleep: runsBegun == runsBefore && !hasWork(run) && !isOver(run))
    call(.afterWaiting, in: run.mode)
  }

  private func look(_ run: ModelRun, canSleep: Bool) {
    if hasDescriptors(run.mode) {
      modesWithWaitSet.insert(run.mode)
    } else {
      modesWithWaitSet.remove(run.mode)
    }
    if canSleep { sleep(run) } else { findDescriptors(in: run.mode) }
    acceptMail()
    run.lastLook = members(of: run.mode).contains { $0.isArmed || $0.isDescriptor } ? now : nil
    findTimersAndPorts(run)
  }

  private func findTimersAndPorts(_ run: ModelRun) {
    round.timers = dueTimers(in: run.mode)
    round.ready += readyPorts(in: run.mode).map { Round.Found(item: $0) }
    round.ready.sort { $0.place < $1.place }
  }

  // MARK: sleeping

  /// Sleeps until something concerns the run.
  private func sleep(_ run: ModelRun) {
    let runsBefore = runsBegun
    var limit = waitLimit(run)
    while true {
      sleep(until: limit, in: run.mode)
      findDescriptors(in: run.mode)
      acceptMail()
      if runsBegun != runsBefore || !round.ready.isEmpty || hasWork(run) || isOver(run) { return }
      // The first descriptor that is sent to a mode ends the wait, which goes on by another way.
      if hasDescriptors(run.mode), !modesWithWaitSet.contains(run.mode) { return }
      limit = waitLimit(run)
      if now >= limit { return }
    }
  }

  private func waitLimit(_ run: ModelRun) -> Int { min(nextDate(in: run.mode) ?? .max, run.deadline ?? .max) }

  private func sleep(until limit: Int, in mode: Program.Mode) {
    isRung = false
    if limit <= now { return }
    while !hasReadyDescriptor(mode) {
      guard let event = events.first, event.date <= limit else {
        now = limit
        return
      }
      events.removeFirst()
      now = max(now, event.date)
      actElsewhere(event.body)
      if isRung { return }
    }
  }
}
