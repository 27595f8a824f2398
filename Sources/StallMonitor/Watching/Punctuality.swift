/// What the watcher knows, when it comes to look, of how it was kept from coming sooner.
struct Punctuality: Sendable, Equatable {
  /// When it meant to look; nil if a loop was to wake it as soon as a pass began.
  var due: UInt64?
  /// When it woke.
  var woke: UInt64
  /// How long it waited for a processor since the look before, ns.
  var queued: UInt64 = 0
  /// All that it could never explain, up to now.
  var total = Unexplained()

  /// Time in which it neither ran, nor waited for a processor or for an answer, nor slept because it wanted to: it was
  /// stopped. Sums since it began, so that nobody misses what happened while another loop was looked at.
  struct Unexplained: Sendable, Equatable {
    /// ns.
    var time: UInt64 = 0
    /// How often it went to sleep more than it wanted to: a stop signal, a tracer or a freezer made it.
    var stops = 0
  }

  /// For how long it was kept from looking at a pass that began at `since`, and not by other work of the processor's, ns.
  ///
  /// - Parameter before: its sums when it looked at that loop the last time.
  func unexplained(since before: Unexplained, passBegan since: UInt64) -> UInt64 {
    let time = total.time - before.time
    guard due == nil else { return time }
    // What it slept before the pass began it was meant to. Of one that was stopped, what the kernel counts as time in line
    // is not to be trusted.
    let late = lateness(passBegan: since)
    return time + late - (isStopped(since: before) ? 0 : min(late, queued))
  }

  func isStopped(since before: Unexplained) -> Bool { total.stops > before.stops }

  /// By how much it is late for that pass, for whatever reason, ns.
  func lateness(passBegan since: UInt64) -> UInt64 {
    let moment = due ?? (since == 0 ? woke : since)
    return woke > moment ? woke - moment : 0
  }
}
