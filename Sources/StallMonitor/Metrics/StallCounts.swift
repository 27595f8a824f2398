import LinuxKernel
import StallReport

/// What a monitor has found since it started, in numbers. Any thread.
final class StallCounts: Sendable {
  /// Stalls of one kind on one loop.
  struct Key: Hashable, Comparable {
    var loop: String
    var kind: Report.Kind

    static func < (one: Key, other: Key) -> Bool {
      (one.loop, one.kind.rawValue) < (other.loop, other.kind.rawValue)
    }
  }

  struct Sum: Equatable {
    var count = 0
    var time = Duration.zero
  }

  /// What became of the reports.
  enum Fate: String, CaseIterable {
    /// In the folder.
    case kept
    /// Not in the folder, for the limits or the sampling.
    case counted
    /// It could not be written.
    case failed
  }

  struct State {
    var stalls: [Key: Sum] = [:]
    var reports: [Fate: Int] = [:]
  }

  private let state = Locked(State())

  var current: State { state.withLock { $0 } }

  /// More loops than these are counted together: names may be made without end.
  static let keysMax = 1000
  static let others = "others"

  /// Counts a stall that is over.
  func note(_ report: Report) {
    state.withLock { state in
      var key = Key(loop: report.loop.name, kind: report.kind)
      if state.stalls[key] == nil, state.stalls.count >= Self.keysMax { key.loop = Self.others }
      state.stalls[key, default: Sum()].count += 1
      state.stalls[key]!.time += report.time.duration
    }
  }

  func note(_ fate: Fate) { state.withLock { $0.reports[fate, default: 0] += 1 } }
}
