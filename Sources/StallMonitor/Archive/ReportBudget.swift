/// How many full reports are left to a process: in a minute, in a day, and the two reserves.
struct ReportBudget {
  static let minute: UInt64 = 60_000_000_000
  static let hour = 60 * minute
  static let day = 24 * hour

  private let limits: StallMonitor.Configuration.Limits
  private var today: UInt64 = 0
  /// The usual ones of the day, the first of their issues, and the severe ones beyond.
  private var (usual, firsts, severe) = (0, 0, 0)
  /// When the latest usual ones were, ns: a minute's worth.
  private var latest: [UInt64] = []

  init(_ limits: StallMonitor.Configuration.Limits) { self.limits = limits }

  /// A share of the day's, for severe stalls when the rest is used up.
  private var severeMax: Int { (limits.perDay + 4) / 5 }

  mutating func beginDay(_ number: UInt64) {
    guard number != today else { return }
    (today, usual, firsts, severe) = (number, 0, 0, 0)
  }

  /// Takes one for the first of an issue; says whether there was one left.
  mutating func takeFirst() -> Bool {
    guard firsts < limits.perDay else { return false }
    firsts += 1
    return true
  }

  /// What there was to take.
  enum Share: Equatable {
    case usual
    /// One of those that are kept for severe stalls.
    case reserved
    case none(ReportPolicy.Omission)
  }

  /// Takes a usual one or, for a severe stall, one of the reserve.
  mutating func take(isSevere: Bool, at now: UInt64) -> Share {
    latest.removeAll { now - $0 >= Self.minute }
    if usual < limits.perDay, latest.count < limits.perMinute {
      usual += 1
      latest.append(now)
      return .usual
    }
    guard isSevere, severe < severeMax else { return .none(usual < limits.perDay ? .minute : .day) }
    severe += 1
    return .reserved
  }
}
