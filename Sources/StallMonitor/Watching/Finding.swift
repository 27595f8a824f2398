import Mainspring
import StallReport

/// What tells a watched loop from others in reports.
struct LoopIdentity: Sendable {
  var number: Int
  var name: String
  var kind: Report.Loop.Kind
  /// The kernel's number of its thread, 0 while the thread has not come by.
  var thread: Int32
}

/// Something to be reported of a loop.
struct Finding: Sendable {
  /// What it is.
  enum Subject: Sendable, Equatable {
    /// A pass that is, or was, too long.
    case pass
    /// A pass whose thread got no processor.
    case starvedPass
    /// Passes without a wait.
    case saturation
    /// A crash, in the pass that was on or outside of it.
    case crash(CrashFacts)
  }

  var loop: LoopIdentity
  var subject: Subject
  /// When it began, ns, monotonic.
  var start: UInt64
  /// What does not count of it, ns: everything stood still, or the program had said that it would wait.
  var excluded: UInt64
  var paused: UInt64 = 0
  /// The address of the literal that says why.
  var pauseReason: UInt = 0
  /// The length from which on it is told, ns.
  var threshold: UInt64
  var isLaunch = false
  var open: OpenStall
  var identifier: Report.Identifier
  /// When it ended, ns, monotonic; nil while it goes on.
  var end: UInt64?
  var seenAt: UInt64
  /// The watcher leaves while it goes on: no end of it will be told.
  var isLeft = false
  /// What the clocks did meanwhile.
  var suspended: UInt64 = 0
  var clockStep: Int64 = 0
  /// How long passes of the loop took so far, if they are counted.
  var lag: RunLoop.LagHistogram?
  /// How often the watcher's thread woke until then.
  var wakeUps = 0
}

extension Finding {
  var isCrash: Bool { if case .crash = subject { true } else { false } }

  /// With what the clocks did since it was suspected.
  var withClocks: Finding {
    guard let before = open.clocks else { return self }
    let clocks = ClockDistances.now
    var finding = self
    finding.suspended = clocks.suspended(since: before)
    finding.clockStep = clocks.step(since: before)
    return finding
  }
}
