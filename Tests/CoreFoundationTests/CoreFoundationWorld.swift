import CoreFoundation
import SimulationPrograms

/// CFRunLoop, the calling thread's. Its time is the real one, which programs for it do not see.
final class CoreFoundationWorld: World {
  /// Let go of at the end: blocks that were never performed hold the player, and are held by the loop.
  private(set) var loop: CFRunLoop! = CFRunLoopGetCurrent()
  var items: [Item] = []
  /// For each run that is on, whether a stop has met it.
  private var runs: [Bool] = []
  private(set) var isOver = false
  /// A timer that is never due.
  private let idleTimer = CFRunLoopTimerCreateWithHandler(
    nil, CFAbsoluteTimeGetCurrent() + CoreFoundationWorld.farAway, 0, 0, 0
  ) { _ in }

  enum Item {
    case source(CFRunLoopSource)
    case timer(CFRunLoopTimer)
    case observer(CFRunLoopObserver)
  }

  private static let farAway = 3600.0

  init() {
    // CF 2: the default mode alone is common. Here the tracking mode is from the start, too (M15).
    CFRunLoopAddCommonMode(loop, CoreFoundationMode.name(of: .tracking))
    CFRunLoopAddTimer(loop, idleTimer, CoreFoundationMode.drain)
  }

  let now = 0

  func end() {
    isOver = true
    for item in items.indices { invalidate(item) }
    items = []
    CFRunLoopTimerInvalidate(idleTimer)
    loop = nil
  }

  // MARK: runs

  func run(_ run: Act.Run) -> Event.Result {
    guard case .plain(let returnAfterSource, _) = run.way, run.limit ?? 0 <= 0 else {
      preconditionFailure("CFRunLoop does not run \(run)")
    }
    lookForTimers(in: run.mode)
    runs.append(false)
    let result = CFRunLoopRunInMode(
      CoreFoundationMode.name(of: run.mode), run.limit == nil ? .infinity : 0, returnAfterSource)
    // CF 26, 28: a handled source or a limit wins, and the stop is forgotten; here a stop wins (M6).
    let wasStopped = runs.removeLast()
    // Whether a source was handled besides is not told (CF 27); here it is (M6).
    return Event.Result(wasStopped ? .stopped : reason(result), handledSource: false, stopsPassedOver: 0)
  }

  private func reason(_ result: CFRunLoopRunResult) -> Event.Reason {
    switch result {
    case .finished: .finished
    case .stopped: .stopped
    case .timedOut: .timedOut
    case .handledSource: .handledSource
    default: preconditionFailure("a run ended with \(result)")
    }
  }

  /// A timer of several modes that is given a date in its own callout is armed only in the mode that it fired in
  /// (CoreFoundation's slip, which no rule of ours has). Another timer's coming makes the mode look again.
  private func lookForTimers(in mode: Program.Mode) {
    CFRunLoopAddTimer(loop, idleTimer, CoreFoundationMode.name(of: mode))
    CFRunLoopRemoveTimer(loop, idleTimer, CoreFoundationMode.name(of: mode))
  }

  func stop(all: Bool) -> Bool {
    guard let innermost = runs.indices.last else { return false }
    runs[innermost] = true
    CFRunLoopStop(loop)
    // The wake that comes with the stop would be the one thing that the next wait serves (CF 24), in the place of
    // timers. All modes share it, and so a run in another takes it away (CF 76).
    CFRunLoopRunInMode(CoreFoundationMode.drain, 0, false)
    return true
  }

  // MARK: what programs for CFRunLoop have none of

  func wakeUp() { preconditionFailure("a wake takes the place of timers (CF 24)") }
  func send(_ message: Int, for player: Player, to item: Int) -> Event.Sending {
    preconditionFailure("there are no ports")
  }
  func close(_ item: Int) { preconditionFailure("there are no ports") }
  func mark(_ item: Int, _ mark: Int) -> Bool { preconditionFailure("there are no batches") }
  func unmark(_ item: Int, _ mark: Int) -> Bool { preconditionFailure("there are no batches") }
  func flush(_ item: Int) { preconditionFailure("there are no batches") }
  func addTask(_ task: Act.Task, number: Int, for player: Player, to item: Int) -> Bool {
    preconditionFailure("there is no idle work")
  }
  func cancelTask(ofKey key: Int, in item: Int) -> Bool { preconditionFailure("there is no idle work") }
  func setInterest(of item: Int, to interest: Program.Readiness) { preconditionFailure("no descriptors") }
  func setReadiness(of descriptor: Int, to readiness: Program.Readiness) {
    preconditionFailure("no descriptors")
  }
  func signalToken(_ token: Int) { preconditionFailure("there are no tokens") }
  func spend(_ time: Int) { preconditionFailure("time is not to matter") }
  func cancelPendingStop() -> Bool { preconditionFailure("no stop is kept (CF 71)") }
  /// A run without a limit that would sleep is ended by who waits for the thread.
  func script(after delay: Int, _ event: @escaping () -> Void) {}
}
