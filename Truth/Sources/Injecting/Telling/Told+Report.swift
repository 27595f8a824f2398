import StallMonitor
import StallReport
import TruthLog

extension Told {
  /// What a report says, as a client of the monitor reads it.
  init(_ report: Report, heardAt now: UInt64) {
    let start = report.time.start.nanoseconds
    let duration = Self.nanoseconds(report.time.duration)
    let end =
      report.time.end?.nanoseconds ?? start + duration + Self.nanoseconds(report.time.excluded ?? .zero)
    self.init(
      teller: "monitor", id: "\(report.id)", kind: report.kind.rawValue, state: report.state.rawValue,
      loop: report.loop.name, interval: Interval(start, end))
    self.duration = duration
    startUncertainty = report.time.startUncertainty.map(Self.nanoseconds)
    endUncertainty = report.time.endUncertainty.map(Self.nanoseconds)
    detected = report.time.detectedAfter.map { start + Self.nanoseconds($0) }
    heard = now
    tick = report.monitor.tick.map(Self.nanoseconds)
    let culprit = report.culprit
    self.culprit = culprit.name
    share = culprit.share
    chain = culprit.chain
    stack = Self.heaviestStack(of: report)
    verdict = report.cost.verdict?.rawValue
    phase = report.phase.name.rawValue
    nesting = report.loop.nesting
    sampleCount = report.samples.count
    droppedCount = report.samplesDropped
    costs = report.samples.compactMap { sample in
      sample.method == .signal ? sample.cost.map(Self.nanoseconds) : nil
    }
    flags = report.confidence.flags
  }

  /// The program's functions, leaf first, of the stack that has the most time.
  private static func heaviestStack(of report: Report) -> [String] {
    var weights: [Int: Duration] = [:]
    for sample in report.samples { sample.stack.map { weights[$0, default: .zero] += sample.weight } }
    guard let heaviest = weights.max(by: { $0.value < $1.value }) else { return [] }
    return report.stacks.stacks[heaviest.key].prefix(64).compactMap { index in
      let frame = report.stacks.frames[index]
      return frame.isInApp && frame.kind == nil ? frame.symbol : nil
    }
  }

  private static func nanoseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    return UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds) / 1_000_000_000)
  }
}
