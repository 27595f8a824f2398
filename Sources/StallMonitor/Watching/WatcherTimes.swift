internal import LinuxKernel

/// Where the watcher's own time goes: what is left over, it was stopped.
struct WatcherTimes {
  private let thread = ThreadIdentity.kernelNumber
  private var woke: UInt64
  private var used: Use
  /// What it waited for threads to answer since it woke, ns.
  private var awaited: UInt64 = 0

  private struct Use {
    var cpu: UInt64
    var queued: UInt64

    func since(_ before: Use) -> UInt64 { cpu &- before.cpu &+ (queued &- before.queued) }
  }

  init() {
    woke = MonotonicClock.now()
    used = Use(cpu: 0, queued: 0)
    used = present
  }

  private var present: Use {
    Use(
      cpu: ThreadClock.processorTime(ofThread: thread) ?? 0,
      queued: ThreadTimes.queuedNanoseconds(thread: thread) ?? 0)
  }

  /// It waited for threads' answers for so long, ns.
  mutating func noteAwaited(_ time: UInt64) { awaited += time }

  /// Sleeps by `sleep`, which gives back when it was to end, and tells how that went.
  mutating func rest(_ sleep: () -> UInt64?) -> Punctuality {
    let (begun, before) = (MonotonicClock.now(), present)
    let (worked, accounted) = (begun - woke, before.since(used) + awaited)
    let due = sleep()
    let now = MonotonicClock.now()
    let after = present
    let punctuality = Punctuality(
      due: due, woke: now, stoppedAtWork: worked > accounted ? worked - accounted : 0,
      queued: after.queued &- before.queued,
      span: worked + (due.map { $0 == .max || $0 < begun ? 0 : $0 - begun } ?? 0))
    (woke, used, awaited) = (now, after, 0)
    return punctuality
  }
}
