import TruthLog

/// What one cell, or all of them, came to.
public struct Tally: Sendable {
  public var injections = 0
  public var found = Proportion()
  /// Of the reports that can be right or wrong, those that are right.
  public var right = Proportion()
  /// Told or not in the band about the threshold, and of starved loops: counted, not judged.
  public var unjudged = 0
  public var exact = Proportion()
  public var onPath = Proportion()
  public var classes = Proportion()
  public var phases = Proportion()
  public var kinds = Proportion()
  public var durations = Proportion()
  public var covered = Proportion()
  /// ms after the start and the threshold, in cells that nothing disturbs.
  public var detection: [Double] = []
  public var tick: Double?
  /// ms.
  public var durationErrors: [Double] = []
  public var shareErrors: [Double] = []
  public var samples = 0
  public var dropped = 0
  /// µs.
  public var costs: [Double] = []
  /// Waits that ended before their time.
  public var cutShort = 0
  /// How often which class was told by which was expected.
  public var confusion: [String: [String: Int]] = [:]
  public var told: [String: Int] = [:]

  public init() {}

  mutating func add(_ judged: Judged, _ report: Told?) {
    injections += 1
    if Double(judged.length) < Double(judged.truth.meant) * 0.95 - 1e6, judged.truth.isOfLoop {
      cutShort += 1
    }
    switch judged.expectation {
    case .none: return
    case .band, .starved: unjudged += report == nil ? 0 : 1
    case .starvation:
      found.count(report?.saysStarved ?? false)
      if let report, report.saysStarved {
        right.count(true)
        told[report.kind, default: 0] += 1
      }
    case .stall:
      found.count(report != nil)
      if let report { compare(judged, report) }
    }
  }

  private mutating func compare(_ judged: Judged, _ report: Told) {
    let truth = judged.truth
    right.count(true)
    told[report.kind, default: 0] += 1
    kinds.count(report.kind == truth.kind)
    compareTimes(judged, report)
    if let function = truth.function {
      let culprit = report.culprit.map(FunctionName.base)
      let path = (report.chain + report.stack).map(FunctionName.base)
      exact.count(culprit == function)
      onPath.count(path.contains(function) || culprit == function)
      if culprit == function, let share = report.share { shareErrors.append(abs(share - truth.share)) }
    }
    let accepted = ExpectedClass.accepted(of: judged)
    classes.count(report.verdict.map(accepted.contains) ?? false)
    confusion[accepted.count == 1 ? accepted.first! : "unclear", default: [:]][
      report.verdict ?? "none", default: 0] +=
      1
    phases.count(report.phase == truth.phase || report.phase.map { "observer:" + $0 } == truth.phase)
    samples += report.sampleCount
    dropped += report.droppedCount
    costs += report.costs.map { Double($0) / 1e3 }
  }

  /// A pass is longer than the callout in it by what the loop itself does.
  private static let passSlack: UInt64 = 1_000_000

  private mutating func compareTimes(_ judged: Judged, _ report: Told) {
    let truth = judged.truth
    let error = report.duration.distance(from: judged.length)
    durationErrors.append(Double(error) / 1e6)
    durations.count(Double(error) <= max(10e6, Double(judged.length) * 0.02))
    if let start = report.startUncertainty, let end = report.endUncertainty {
      covered.count(
        report.interval.start.distance(from: truth.interval.start) <= start + Self.passSlack
          && report.interval.end.distance(from: truth.interval.end) <= end + Self.passSlack)
    }
    if judged.isOnIdleMachine, let detected = report.detected {
      let due = truth.interval.start + judged.threshold
      detection.append((Double(detected) - Double(due)) / 1e6)
    }
    if let tick = report.tick { self.tick = max(self.tick ?? 0, Double(tick) / 1e6) }
  }
}

extension Told {
  /// Whether it says that the host is to blame.
  var saysStarved: Bool { kind == "starvation" || verdict == "starved" }
}

extension UInt64 {
  func distance(from other: UInt64) -> UInt64 { self > other ? self - other : other - self }
}
