internal import LinuxKernel

/// Where the watcher's own time goes: what is left over, it was stopped. No moment is left out between two accounts.
struct WatcherTimes {
  /// What the watcher's sleep was meant to be.
  struct Rest {
    var begun: UInt64
    /// When it was to end: nil if as soon as a pass began, its beginning if there was none.
    var due: UInt64?
    /// How often the watcher went to sleep for that.
    var sleeps = 0

    /// No sleep.
    static func none(at now: UInt64) -> Rest { Rest(begun: now, due: now) }

    /// How much of it was meant, if the watcher woke at `now`, ns.
    func meant(until now: UInt64) -> UInt64 {
      let end = min(now, due ?? now)
      return end > begun ? end - begun : 0
    }
  }

  /// Waits for the answers of threads.
  struct Awaited {
    var time: UInt64 = 0
    var sleeps = 0
  }

  private let thread = ThreadIdentity.kernelNumber
  private var accountedUntil: UInt64
  private var used: Use

  private struct Use {
    var cpu: UInt64
    var queued: UInt64
    var sleeps: Int
  }

  private var total = Punctuality.Unexplained()

  init() {
    accountedUntil = MonotonicClock.now()
    used = Use(cpu: 0, queued: 0, sleeps: 0)
    used = present
  }

  private var present: Use {
    Use(
      cpu: ThreadClock.processorTime(ofThread: thread) ?? 0,
      queued: ThreadTimes.queuedNanoseconds(thread: thread) ?? 0, sleeps: ThreadSwitches.voluntary)
  }

  /// Sleeps by `sleep`, which gives back what was meant, and tells how that went.
  mutating func rest(after awaited: Awaited, _ sleep: () -> Rest) -> Punctuality {
    let rest = sleep()
    let now = MonotonicClock.now()
    let queued = account(until: now, slept: rest.meant(until: now), sleeps: rest.sleeps, awaited)
    return Punctuality(due: rest.due, woke: now, queued: queued, total: total)
  }

  /// More than this between waking and looking, ns, has to be accounted for before anything is concluded.
  static let workWithoutAccount: UInt64 = 2_000_000

  /// Adds what became of the time since it woke, if that is long.
  mutating func update(_ punctuality: inout Punctuality, at now: UInt64, after awaited: () -> Awaited) {
    guard now - min(now, accountedUntil) > Self.workWithoutAccount else { return }
    _ = account(until: now, slept: 0, sleeps: 0, awaited())
    punctuality.total = total
  }

  /// Adds to what is unexplained; gives back the time in line.
  private mutating func account(until now: UInt64, slept: UInt64, sleeps: Int, _ awaited: Awaited) -> UInt64 {
    let after = present
    let length = now - min(now, accountedUntil)
    let isStopped = after.sleeps - used.sleeps > sleeps + awaited.sleeps
    // Of one that was stopped, what the kernel counts as time in line is not to be trusted: it may count a sleeper that was
    // moved to another processor's line.
    let queued = isStopped ? 0 : after.queued &- used.queued
    let explained = slept &+ queued &+ awaited.time &+ (after.cpu &- used.cpu)
    (accountedUntil, used) = (now, after)
    total.time += length - min(length, explained)
    total.stops += isStopped ? 1 : 0
    return queued
  }
}
