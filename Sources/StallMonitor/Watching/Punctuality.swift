/// What the watcher knows, when it comes to look, of how it was kept from coming sooner.
struct Punctuality: Sendable, Equatable {
  /// When it meant to look; nil if a loop was to wake it as soon as a pass began.
  var due: UInt64?
  /// When it woke.
  var woke: UInt64
  /// Time since the look before in which it neither ran, nor waited for a processor, nor slept because it wanted to, but
  /// for the end of that sleep, ns.
  var stoppedAtWork: UInt64 = 0
  /// How long it waited for a processor after it was due, at most, ns.
  var queued: UInt64 = 0
  /// Whether it went to sleep once more than it wanted to: a stop signal, a tracer or a freezer made it.
  var isStopped = false
  /// For how long it had meant to sleep, and has worked before, ns: a standstill may have begun so much earlier.
  var span: UInt64 = 0

  /// For how long it was kept from looking at a pass that began at `since`, and not by other work of the processor's, ns.
  func unexplained(passBegan since: UInt64) -> UInt64 {
    let moment = due ?? (since == 0 ? woke : since)
    let late = woke > moment ? woke - moment : 0
    // Of one that was stopped, what the kernel counts as time in line is not to be trusted.
    let queued = isStopped ? 0 : min(late, queued)
    return stoppedAtWork + late - queued
  }

  /// By how much it is late for that pass, for whatever reason, ns.
  func lateness(passBegan since: UInt64) -> UInt64 {
    let moment = due ?? (since == 0 ? woke : since)
    return woke > moment ? woke - moment : 0
  }
}
