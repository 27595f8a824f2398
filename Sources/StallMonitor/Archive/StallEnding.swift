import StallReport

/// How a stall ended of which its process has not told the end.
enum StallEnding: Equatable {
  /// The process was killed, or crashed. It was last seen to go on at a moment, ns, monotonic.
  case killed(Report.Identifier, seen: UInt64)
  /// The process ended by itself.
  case left(Report.Identifier, seen: UInt64)
  /// The stall was over before, at a moment, and the report of that was not written in time.
  case over(Report.Identifier, at: UInt64)
  /// Nothing is known but that the process is gone.
  case unknown

  init(_ stall: SidecarRecords.Stall, hasEnded: Bool) {
    if let end = stall.end {
      self = .over(stall.id, at: end)
    } else {
      self = hasEnded ? .left(stall.id, seen: stall.seen) : .killed(stall.id, seen: stall.seen)
    }
  }

  var id: Report.Identifier? {
    switch self {
    case .killed(let id, _), .left(let id, _), .over(let id, _): id
    case .unknown: nil
    }
  }
}

extension Report {
  /// The annotation that says why a stall has no end.
  static let endedKey = "ended"

  /// What the monitor could still say when it was stopped.
  mutating func leave() { annotations[Self.endedKey] = "the monitor was stopped while the stall went on" }

  /// Makes this the last state, with everything else as it was.
  mutating func end(by ending: StallEnding) {
    switch ending {
    case .killed(_, let seen):
      state = .unrecovered
      lengthen(to: seen)
    case .left(_, let seen):
      annotations[Self.endedKey] = "the program ended by itself while the stall went on"
      lengthen(to: seen)
    case .over(_, let end):
      state = .recovered
      lengthen(to: end)
      time.end = max(time.start, MonotonicTime(nanoseconds: end))
      time.endUnix = time.startUnix.advanced(
        by: Int64(clamping: time.end!.nanoseconds - time.start.nanoseconds))
    case .unknown: state = .unrecovered
    }
  }

  /// Never shorter than it was known to be.
  private mutating func lengthen(to moment: UInt64) {
    let start = time.start.nanoseconds
    let length = Duration.nanoseconds(Int64(clamping: moment - min(start, moment))) - (time.excluded ?? .zero)
    time.duration = max(time.duration, length)
  }
}
