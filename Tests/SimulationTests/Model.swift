/// A run loop written from the rules (M1–M35), for obviousness: arrays that are searched, and everything spelled out.
///
/// What an item, a timer or a run is stands in `Model+Parts.swift`.
final class Model: World {
  var now = 0
  var items: [Item] = []
  var commonModes: Set<String> = ["default", "tracking"]
  var blocks: [Block] = []
  var runs: [Run] = []
  var runsBegun = 0
  var isWakeRequested = false
  var keptStop: (innermost: Bool, all: Bool) = (false, false)
  /// A stop of all runs holds until the last of them has ended.
  var isStoppingAll = false
  /// Sent from elsewhere and not looked at.
  var mail: [() -> Void] = []
  var events: [(date: Int, body: () -> Void)] = []
  var isElsewhere = false
  var isRung = false
  private var lastNumber = 0

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func meaning(of mode: String) -> Set<String> { mode == "common" ? commonModes : [mode] }

  /// Done at once on the loop's thread; from elsewhere sent, waking who sleeps in one of the modes.
  func send(concerning modes: Set<String>?, _ change: @escaping () -> Void) {
    guard isElsewhere else { return change() }
    mail.append(change)
    ring(for: modes)
  }

  /// nil: whoever sleeps.
  func ring(for modes: Set<String>?) {
    if let modes, let run = runs.last, !modes.contains(run.mode) { return }
    isRung = true
  }

  func acceptMail() {
    let accepted = mail
    mail = []
    for change in accepted { change() }
  }

  // MARK: what is in a mode

  func members(of mode: String) -> [Item] { items.filter { $0.modes[mode] != nil } }

  func isEmpty(_ mode: String) -> Bool {
    !blocks.contains { matches($0, mode) }
      && !members(of: mode).contains { $0.isSource || ($0.isTimer && $0.isArmed) }
  }

  func matches(_ block: Block, _ mode: String) -> Bool {
    block.modes.contains(mode) || (block.modes.contains("common") && commonModes.contains(mode))
  }

  func signalledSources(in mode: String) -> [Item] {
    members(of: mode).filter { $0.isSource && $0.isValid && $0.isSignalled }
      .sorted { ($0.order, $0.signalNumber) < ($1.order, $1.signalNumber) }
  }

  func nextDate(in mode: String) -> Int? { members(of: mode).filter { $0.isArmed }.compactMap(\.date).min() }

  // MARK: runs

  func run(_ ways: Act.Ways) -> String {
    let passesOver = ways.passesOverStops && ways.limit > 0
    let run = Run(
      mode: ways.mode, deadline: ways.limit > 0 ? now + ways.limit : nil, isSinglePass: ways.limit <= 0,
      returnsAfterSource: ways.returnAfterSource && !passesOver, waitsWhenEmpty: ways.waitsWhenEmpty,
      passesOverStops: passesOver)
    if runs.isEmpty {
      if keptStop.all { isStoppingAll = true }
      if keptStop.innermost { run.isStopped = true }
      keptStop = (false, false)
    }
    runs.append(run)
    runsBegun += 1
    let reason = passes(of: run)
    runs.removeLast()
    var final = reason
    if isStoppingAll || (run.isStopped && !passesOver) { final = "stopped" }
    if run.isStopped, passesOver { run.stopsPassedOver += 1 }
    if runs.isEmpty { isStoppingAll = false }
    return "\(final) \(run.hasHandledSource) \(run.stopsPassedOver)"
  }

  private func passes(of run: Run) -> String {
    if isStopped(run) { return "stopped" }
    acceptMail()
    if !run.waitsWhenEmpty, isEmpty(run.mode) { return "finished" }
    call(.entry, in: run.mode)
    var reason: String? = isStopped(run) ? "stopped" : nil
    while reason == nil { reason = pass(of: run) }
    call(.exit, in: run.mode)
    return reason!
  }

  private func isStopped(_ run: Run) -> Bool {
    if isStoppingAll { return true }
    guard run.isStopped else { return false }
    if run.passesOverStops {
      run.isStopped = false
      run.stopsPassedOver += 1
      return false
    }
    return true
  }

  private func pass(of run: Run) -> String? {
    let runsBefore = runsBegun
    isWakeRequested = false
    acceptMail()
    call(.beforeTimers, in: run.mode)
    call(.beforeSources, in: run.mode)
    drainBlocks(of: run)
    var isBusy = run.isSinglePass
    if performSources(of: run) {
      isBusy = true
      drainBlocks(of: run)
    }
    if run.returnsAfterSource, run.hasHandledSource { return reason(toEnd: run) }
    if isBusy || blocks.contains(where: { matches($0, run.mode) }) {
      lookWhileBusy(run)
    } else {
      wait(run, runsBefore)
    }
    fireTimers(of: run)
    drainBlocks(of: run)
    return reason(toEnd: run)
  }

  private func reason(toEnd run: Run) -> String? {
    if isStopped(run) { return "stopped" }
    if run.returnsAfterSource, run.hasHandledSource { return "handledSource" }
    if run.isSinglePass { return "timedOut" }
    if let deadline = run.deadline, now >= deadline { return "timedOut" }
    acceptMail()
    return !run.waitsWhenEmpty && isEmpty(run.mode) ? "finished" : nil
  }

  // MARK: the parts of a pass

  private func call(_ activity: Activity, in mode: String) {
    let listeners = members(of: mode).filter { $0.activities & activity.rawValue != 0 }
      .sorted { ($0.order, $0.modes[mode]!) < ($1.order, $1.modes[mode]!) }
    for listener in listeners {
      guard listener.isValid, !listener.isInCallout, listener.modes[mode] != nil else { continue }
      listener.isInCallout = true
      listener.call("\(activity)")
      listener.isInCallout = false
      if !listener.repeats { invalidate(listener) }
    }
  }

  private func drainBlocks(of run: Run) {
    acceptMail()
    let last = lastNumber
    while let index = blocks.firstIndex(where: { matches($0, run.mode) && $0.number <= last }) {
      blocks.remove(at: index).body()
    }
  }

  private func performSources(of run: Run) -> Bool {
    var wasPerformed = false
    for source in signalledSources(in: run.mode) {
      guard source.isValid, source.isSignalled, source.modes[run.mode] != nil else { continue }
      let runsBefore = runsBegun
      wasPerformed = true
      source.isSignalled = false
      run.hasHandledSource = true
      source.call("source")
      // A nested run took over what this round had found.
      if run.returnsAfterSource || runsBegun != runsBefore { break }
    }
    return wasPerformed
  }

  private func lookWhileBusy(_ run: Run) {
    if run.busyPasses == 0 { run.busySince = nil }
    // The clock is read only where somebody needs it (M5), and so the time counts from there.
    if run.busySince == nil, needsClock(run.mode) { run.busySince = now }
    run.busyPasses += 1
    let isOwed = run.busyPasses >= 64 || now - (run.busySince ?? now) >= 8
    if isOwed, !run.isSinglePass {
      run.busyPasses = 0
      call(.beforeWaiting, in: run.mode)
      collectTimers(run)
      call(.afterWaiting, in: run.mode)
    } else {
      collectTimers(run)
    }
  }

  private func needsClock(_ mode: String) -> Bool {
    let waiting = Activity.beforeWaiting.rawValue | Activity.afterWaiting.rawValue
    return members(of: mode).contains { $0.isArmed || $0.activities & waiting != 0 }
  }

  private func wait(_ run: Run, _ runsBefore: Int) {
    run.busyPasses = 0
    call(.beforeWaiting, in: run.mode)
    acceptMail()
    if runsBegun == runsBefore, !hasWork(run) { sleep(run) }
    collectTimers(run)
    call(.afterWaiting, in: run.mode)
  }

  /// What is not slept over.
  private func hasWork(_ run: Run) -> Bool {
    isWakeRequested || blocks.contains { matches($0, run.mode) } || !signalledSources(in: run.mode).isEmpty
      || run.isStopped || isStoppingAll || (!run.waitsWhenEmpty && isEmpty(run.mode))
  }

  private func sleep(_ run: Run) {
    while true {
      let limit = min(nextDate(in: run.mode) ?? .max, run.deadline ?? .max)
      if limit <= now { return }
      sleep(until: limit)
      acceptMail()
      if hasWork(run) { return }
    }
  }

  private func sleep(until limit: Int) {
    isRung = false
    while let event = events.first, event.date <= limit {
      events.removeFirst()
      now = max(now, event.date)
      isElsewhere = true
      event.body()
      isElsewhere = false
      if isRung { return }
    }
    now = limit
  }

  private func collectTimers(_ run: Run) {
    acceptMail()
    run.due = members(of: run.mode).filter { $0.isTimer && $0.isArmed && $0.date! <= now }
      .sorted { ($0.date!, $0.modes[run.mode]!) < ($1.date!, $1.modes[run.mode]!) }
      .map { (timer: $0, number: $0.modes[run.mode]!) }
    run.dueSince = runsBegun
  }

  private func fireTimers(of run: Run) {
    for (timer, number) in run.due {
      // A nested run (in afterWaiting, too) took over what was found; what was moved meanwhile has another number.
      if runsBegun != run.dueSince { break }
      guard timer.isValid, timer.isArmed, timer.modes[run.mode] == number else { continue }
      fire(timer)
    }
    run.due = []
  }

  private func fire(_ timer: Item) {
    let scheduled = timer.date!
    timer.isArmed = false
    timer.isFiring = true
    timer.dateWasSet = false
    timer.call("timer")
    timer.isFiring = false
    guard timer.isValid else { return }
    if timer.dateWasSet, timer.date != nil || timer.interval != nil {
      arm(timer)
    } else if let interval = timer.interval {
      timer.date = scheduled
      while timer.date! <= now { timer.date! += interval }
      if timer.date == scheduled { timer.date! += interval }
      arm(timer)
    } else if timer.isRearmable {
      timer.date = nil
    } else {
      invalidate(timer)
    }
  }
}
