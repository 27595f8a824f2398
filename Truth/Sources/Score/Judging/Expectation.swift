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
}

/// An injection with what the log says of the time around it.
package struct Judged: Sendable {
  package let truth: Truth
  package let threshold: UInt64
  /// How long the process was stopped within it, ns.
  package let stopped: UInt64

  package init(_ truth: Truth, threshold: UInt64, stops: [Interval]) {
    self.truth = truth
    self.threshold = threshold
    stopped = min(truth.interval.length, stops.reduce(0) { $0 + $1.overlap(with: truth.interval) })
  }

  /// The part of the threshold about it in which nothing is expected, either way.
  static let bandShare = 0.1

  /// How long it lasted without the time in which the process was stopped, ns.
  package var length: UInt64 { truth.interval.length - stopped }
  /// As a multiple of the threshold.
  package var lengthInThresholds: Double { Double(length) / Double(threshold) }

  package var expectation: Expectation {
    guard truth.isOfLoop else { return .none }
    let (low, high) = (1 - Self.bandShare, 1 + Self.bandShare)
    if lengthInThresholds < low { return .none }
    let meant = min(Double(truth.meant) / Double(threshold), lengthInThresholds)
    if meant >= low { return meant < high ? .band : .stall }
    // Longer than it was meant to be. What it waited for a processor is not the loop's doing; the rest, a sleep that
    // overslept, is nobody's.
    let own = Double(length - min(length, truth.runnable ?? 0)) / Double(threshold)
    return own < low ? .starved : .band
  }
}
