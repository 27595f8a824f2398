/// What a process has reported of one issue.
struct IssueHistory {
  var title = ""
  /// Stalls since the beginning of the hour.
  private(set) var countInHour = 0
  var hasBeenSevereInHour = false
  /// Full reports since the beginning of the day.
  private(set) var fullInDay = 0
  /// When the latest full reports were, ns; no more than are asked for.
  private var fulls: [UInt64] = []
  /// Stalls that were only counted since the last full report.
  var suppressed = 0
  private(set) var lastHour: UInt64 = 0
  private var lastDay: UInt64 = 0

  /// Hours and days are counted by numbers.
  mutating func begin(hour: UInt64, day: UInt64) {
    if hour != lastHour { (lastHour, countInHour, hasBeenSevereInHour) = (hour, 0, false) }
    if day != lastDay { (lastDay, fullInDay) = (day, 0) }
  }

  mutating func noteStall() { countInHour += 1 }

  mutating func noteFull(at now: UInt64) {
    fullInDay += 1
    suppressed = 0
    fulls = fulls.suffix(Self.fullsMax - 1) + [now]
  }

  private static let fullsMax = 8

  func fullCount(since now: UInt64, within span: UInt64) -> Int { fulls.count { now - $0 < span } }
}

extension Int {
  /// Whether it is one of 1, 2, 3, 5, 8, 13 …
  var isFibonacci: Bool {
    var (one, next) = (1, 2)
    while one < self { (one, next) = (next, one &+ next) }
    return one == self
  }
}
