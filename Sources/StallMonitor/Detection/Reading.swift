import Mainspring
import Synchronization

/// What a watcher saw of a loop at one moment.
struct Reading: Equatable, Sendable {
  /// Grows with each pass, each end of a nested run and each end of a wait.
  var progress: UInt32
  /// When progress last changed, ns on the monotonic clock, as of the kernel's tick; 0 if not known.
  var since: UInt64
  /// Whether the loop is in a pass and not waiting.
  var isBusy: Bool
  /// How many callouts were ever begun, and how many of them before progress last changed.
  var callouts: UInt64 = 0
  var calloutsBefore: UInt64 = 0
  /// When the last wait ended, or the run began; 0 if not known.
  var awakeSince: UInt64 = 0
  /// Whether the loop has ever waited: what comes before is its launch.
  var hasWaited = true
  /// How much of the time since `since` the program declared to be a wait that is meant, ns.
  var paused: UInt64 = 0
  /// Where in the pass it is, and for a callout, where its item was made.
  var phase: Phase = .betweenCallouts
  var site: CallSite = .unknown
  var modeNumber: UInt32? = 0
  var nesting = 1

  /// When it was shown that the pass is on, and a sleeping watcher was woken: later than it began, where somebody else
  /// found out about it.
  var shownSince: UInt64 { max(since, awakeSince) }
}

extension Reading {
  /// Read on any thread. The parts may be from neighbouring moments: whoever concludes something compares `progress`
  /// before and after.
  init(_ beacon: Beacon, at now: UInt64) {
    let shown = beacon.read()
    self.init(
      progress: shown.state.progress, since: shown.since, isBusy: shown.state.isBusy,
      callouts: shown.callouts, calloutsBefore: beacon.calloutsBefore.load(ordering: .relaxed),
      awakeSince: beacon.awakeSince.load(ordering: .relaxed),
      hasWaited: beacon.hasWaited.load(ordering: .relaxed),
      paused: beacon.pausedTime(in: shown.state, from: shown.since, to: now),
      phase: shown.state.phase, site: shown.site, modeNumber: shown.state.modeNumber,
      nesting: shown.state.nesting)
  }
}
