internal import LinuxKernel

/// Where the watcher's own time goes: what is left over, it was stopped.
struct WatcherTimes {
  /// What the watcher's sleep was meant to be.
  struct Rest {
    /// When it was to end: nil if as soon as a pass began, the end of time if there was none.
    var due: UInt64?
    /// How often it went to sleep for that.
    var sleeps = 0
  }

  private let thread = ThreadIdentity.kernelNumber
  private var woke: UInt64
  private var used: Use
  /// What it waited for threads to answer since it woke, ns.
  private var awaited: UInt64 = 0

  private struct Use {
    var cpu: UInt64
    var queued: UInt64
    var sleeps: Int
  }

  init() {
    woke = MonotonicClock.now()
    used = Use(cpu: 0, queued: 0, sleeps: 0)
    used = present
  }

  private var present: Use {
    Use(
      cpu: ThreadClock.processorTime(ofThread: thread) ?? 0,
      queued: ThreadTimes.queuedNanoseconds(thread: thread) ?? 0, sleeps: ThreadSwitches.voluntary)
  }

  /// It waited for threads' answers for so long, ns.
  mutating func noteAwaited(_ time: UInt64) { awaited += time }

  /// Sleeps by `sleep`, which gives back what was meant, and tells how that went.
  mutating func rest(_ sleep: () -> Rest) -> Punctuality {
    let (begun, before) = (MonotonicClock.now(), present)
    let rest = sleep()
    let now = MonotonicClock.now()
    let after = present
    var punctuality = Punctuality(due: rest.due, woke: now)
    punctuality.stoppedAtWork = stopped(from: woke, to: begun, before)
    punctuality.queued = after.queued &- before.queued
    punctuality.isStopped = after.sleeps - before.sleeps > rest.sleeps
    let planned = rest.due.map { $0 == .max || $0 < begun ? 0 : $0 - begun } ?? 0
    punctuality.span = begun - woke + planned
    (woke, used, awaited) = (now, after, 0)
    return punctuality
  }

  /// How much of the time that it was awake it neither ran, nor waited for a processor or an answer.
  private func stopped(from woke: UInt64, to begun: UInt64, _ now: Use) -> UInt64 {
    // One that waits for nobody goes to sleep only because it is made to. Then what the kernel counts as time in line is
    // not to be trusted: it may count a sleeper that was moved to another processor's line.
    let sleptForNobody = awaited == 0 && now.sleeps > used.sleeps
    let queued = sleptForNobody ? 0 : now.queued &- used.queued
    let accounted = now.cpu &- used.cpu &+ queued &+ awaited
    return begun - woke > accounted ? begun - woke - accounted : 0
  }
}
