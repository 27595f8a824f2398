internal import LinuxKernel

/// How late the watcher comes to a look, and why.
struct Punctuality: Sendable {
  /// When it meant to look; nil if a loop was to wake it as soon as a pass began.
  var due: UInt64?
  /// For how long it had meant to sleep, ns.
  var rest: UInt64 = 0
  /// How long it was in line for a processor since the look before, ns.
  var queued: UInt64 = 0
  /// What it has done since it woke, before it came to this loop, ns.
  var ownWork: UInt64 = 0

  static let punctual = Punctuality(due: .max)

  /// By how much it is late for a pass that began at `since`, ns.
  func lateness(at now: UInt64, passBegan since: UInt64) -> UInt64 {
    let woke = now - min(now, ownWork)
    let moment = due ?? (since == 0 ? now : since)
    return woke > moment ? woke - moment : 0
  }
}

/// The time that the watcher's own thread spent in line for a processor.
struct OwnQueueTime {
  private let thread = ThreadIdentity.kernelNumber
  private var before: UInt64 = 0

  init() { before = total }

  private var total: UInt64 { ThreadTimes.queuedNanoseconds(thread: thread) ?? 0 }

  /// Since it was taken last, ns.
  mutating func take() -> UInt64 {
    let now = total
    defer { before = now }
    return now > before ? now - before : 0
  }
}
