package import TruthLog

/// What is to be told of an injection.
package enum Expectation: Sendable, Equatable {
  /// A stall, to be told once.
  case stall
  /// Too near the threshold to be held to either.
  case band
  /// Nothing.
  case none
  /// The loop meant to do little and was not let: nothing, or that it was starved.
  case starved
  /// The same for so long that it is to be told.
  case starvation
}

/// An injection with what the log says of the time around it.
package struct Judged: Sendable {
  package let truth: Truth
  /// From which length on it is to be told, ns.
  package let threshold: UInt64
  private let starvation: UInt64
  /// How long the process was stopped within it, ns.
  package let stopped: UInt64

  package init(_ truth: Truth, _ session: Session, stops: [Interval]) {
    self.truth = truth
    threshold = truth.kind == "saturation" ? session.saturation : session.threshold
    starvation = session.starvation
    stopped = min(truth.interval.length, stops.reduce(0) { $0 + $1.overlap(with: truth.interval) })
  }

  /// The band about the threshold in which nothing is expected, either way.
  private static let low = 0.9
  private static let high = 1.1

  /// How long it lasted without the time in which the process was stopped, ns.
  package var length: UInt64 { truth.interval.length - stopped }
  /// As a multiple of the threshold.
  package var lengthInThresholds: Double { Double(length) / Double(threshold) }

  /// Whether the machine had nothing else to do, as far as the thread's own wait for a processor tells.
  package var isOnIdleMachine: Bool {
    truth.isUndisturbed && (truth.runnable ?? 0) <= Self.idleQueue
  }

  /// ns.
  private static let idleQueue: UInt64 = 2_000_000

  package var expectation: Expectation {
    guard truth.isOfLoop, lengthInThresholds >= Self.low else { return .none }
    if lengthInThresholds < Self.high { return .band }
    let meant = min(Double(truth.meant) / Double(threshold), lengthInThresholds)
    // What it waited for a processor is not the loop's doing.
    let queued = min(length, truth.runnable ?? 0)
    let own = Double(length - queued) / Double(threshold)
    if meant >= Self.high {
      // What goes by the clock did less than it was meant to if it was not let.
      return truth.meantClass == "measured" && own < Self.high ? .band : .stall
    }
    // Longer than it was meant to be: it was starved, or it overslept, which is nobody's doing.
    if meant >= Self.low || own >= Self.low { return .band }
    return Double(length) >= Double(starvation) * Self.high && queued * 2 >= length ? .starvation : .starved
  }
}
