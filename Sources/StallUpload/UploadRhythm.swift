import Mainspring

/// When the next batch is to be sent: an interval after a report was stored, at once if it is urgent or many wait, and not
/// before a server that failed has had its rest.
///
/// While nothing waits it has no date, so that an idle program is not woken.
struct UploadRhythm: Sendable {
  /// The spans it works with.
  struct Limits: Sendable, Equatable {
    /// How long a report waits for others at most.
    var interval: Duration
    /// So many do not wait.
    var countAtOnce = 50
    /// The rest after the first failure; each further one doubles it.
    var firstRest = Duration.seconds(1)
    /// The rest after the first refusal of everything, which nobody mends in a second.
    var firstUnwelcomeRest = Duration.seconds(60)
    /// The longest rest of its own.
    var longestRest = Duration.seconds(3600)
    /// The longest rest that a server may ask for.
    var longestAskedRest = Duration.seconds(24 * 3600)
  }

  let limits: Limits
  private(set) var failureCount = 0
  private var waitingCount = 0
  private var due: RunLoop.Instant?
  private var notBefore: RunLoop.Instant?

  init(_ limits: Limits) { self.limits = limits }

  /// When to send next; nil while nothing waits.
  var nextDate: RunLoop.Instant? { due.map { max($0, notBefore ?? $0) } }

  /// Whether a rest is on at `now`.
  func isResting(at now: RunLoop.Instant) -> Bool { notBefore.map { $0 > now } ?? false }

  /// Something may wait, perhaps from an earlier life.
  mutating func mayHaveWork(at now: RunLoop.Instant) { due = min(due ?? now, now) }

  /// A report was stored.
  mutating func noteStored(isUrgent: Bool, at now: RunLoop.Instant) {
    waitingCount += 1
    let isDue = isUrgent || waitingCount >= limits.countAtOnce
    let date = isDue ? now : now.advanced(by: limits.interval)
    due = min(due ?? date, date)
  }

  /// Somebody else sends from the same folder: to be looked at again later.
  mutating func noteBusyElsewhere(at now: RunLoop.Instant) { due = now.advanced(by: limits.interval) }

  /// Nothing waits any more.
  mutating func noteNothingWaits() { (due, waitingCount) = (nil, 0) }

  /// A batch was dealt with; there may be more.
  mutating func noteDealtWith(at now: RunLoop.Instant) {
    (failureCount, notBefore, waitingCount) = (0, nil, 0)
    due = now
  }

  /// A batch came to nothing: a rest, twice as long as the last and up to half more or less of it, so that a fleet does
  /// not come back as one.
  mutating func noteFailure(
    isUnwelcome: Bool, askedRest: Duration?, at now: RunLoop.Instant,
    using random: inout some RandomNumberGenerator
  ) {
    let first = isUnwelcome ? limits.firstUnwelcomeRest : limits.firstRest
    let doubled = first * (1 << min(failureCount, 20))
    failureCount += 1
    let share = Int.random(in: 500...1500, using: &random)
    var rest = min(min(doubled, limits.longestRest) * share / 1000, limits.longestRest)
    if let askedRest { rest = max(rest, min(askedRest, limits.longestAskedRest)) }
    notBefore = now.advanced(by: rest)
    due = notBefore
  }
}
