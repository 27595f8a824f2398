import Mainspring

/// What a watcher saw of a loop at one moment.
struct Reading: Equatable, Sendable {
  /// Grows with each pass, each end of a nested run and each end of a wait.
  var progress: UInt32
  /// When progress last changed, ns on the monotonic clock, as of the kernel's tick; 0 if not known.
  var since: UInt64
  /// Whether the loop is in a pass and not waiting.
  var isBusy: Bool
  /// How many callouts were ever begun.
  var callouts: UInt64
  /// Where in the pass it is, and for a callout, where its item was made.
  var phase: Phase
  var site: CallSite
  var modeNumber: UInt32?
  var nesting: Int

  static func == (a: Reading, b: Reading) -> Bool {
    a.progress == b.progress && a.since == b.since && a.isBusy == b.isBusy && a.callouts == b.callouts
      && a.phase == b.phase
  }
}

extension Reading {
  init(_ beacon: Beacon) {
    let shown = beacon.read()
    self.init(
      progress: shown.state.progress, since: shown.since, isBusy: shown.state.isBusy,
      callouts: shown.callouts,
      phase: shown.state.phase, site: shown.site, modeNumber: shown.state.modeNumber,
      nesting: shown.state.nesting)
  }
}
