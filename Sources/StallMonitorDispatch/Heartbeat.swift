/// When a queue is pinged, as a pure function of what became of the pings before.
///
/// A ping is a block that does nothing. While the queue seems to be in use there is one every half threshold, so that
/// whatever keeps it from being done for longer than one and a half thresholds is seen. Each that is answered at once while
/// nobody used the queue doubles the time to the next. At a second between two they end, if they are to.
struct Heartbeat: Sendable {
  /// What it is to come back from.
  enum Event: Equatable, Sendable {
    /// It slept, and the queue was used.
    case woken
    /// The time is over that it rested for.
    case rested
    /// The ping was answered.
    ///
    /// - Parameter isInUse: the answer was late, or the queue was used through its adapter meanwhile.
    case answered(isInUse: Bool)
    /// The ping is still out, and the queue is or is not being served by a thread.
    case unanswered(isServed: Bool)
    /// The ping is still out, since the queue does what was given to its adapter, which is watched by itself.
    case working
  }

  /// What is to be done; the numbers are ns until the next event.
  enum Action: Equatable, Sendable {
    case ping(lookIn: UInt64)
    case rest(UInt64)
    /// The ping that is out may be held against the queue.
    case look(again: UInt64)
    /// Nothing, until the queue is used or the ping is answered.
    case sleep
  }

  /// No two pings of an idle queue are further from each other, ns; those that are to end do so here.
  static let restMax: UInt64 = 1_000_000_000

  let pinging: Pinging
  /// Half a threshold.
  private let base: UInt64
  private var interval: UInt64
  private var lookInterval: UInt64

  init(threshold: UInt64, pinging: Pinging) {
    precondition(threshold > 1, "half a threshold of \(threshold) ns is no time")
    self.pinging = pinging
    base = threshold / 2
    interval = base
    lookInterval = base
  }

  mutating func next(after event: Event) -> Action {
    switch event {
    case .woken:
      interval = base
      return ping
    case .rested: return ping
    case .answered(let isInUse): return answered(isInUse)
    case .unanswered(let isServed): return unanswered(isServed)
    case .working: return .look(again: base)
    }
  }

  private var ping: Action { .ping(lookIn: base) }

  private mutating func answered(_ isInUse: Bool) -> Action {
    lookInterval = base
    if isInUse {
      interval = base
      return ping
    }
    if interval >= Self.restMax, pinging == .whileInUse { return .sleep }
    interval = max(base, min(2 * interval, Self.restMax))
    return interval > base ? .rest(interval - base) : ping
  }

  private mutating func unanswered(_ isServed: Bool) -> Action {
    // As often as ever while the queue is stuck: the next ping goes out within this time of the answer.
    if isServed {
      lookInterval = base
      return .look(again: base)
    }
    defer { lookInterval = min(2 * lookInterval, Self.restMax) }
    // A queue that is suspended, or that no thread has come to: the answer will tell when that is over.
    return lookInterval >= Self.restMax ? .sleep : .look(again: lookInterval)
  }
}
