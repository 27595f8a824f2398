/// The turn of one kind of work in a pass: over after a named number of callouts or, where something waits for a date
/// meanwhile, after a named time.
struct Turn {
  private let limit: Int
  private var count = 0
  /// When the clock was first looked at, 0 before.
  private var begin: UInt64 = 0

  init(of limit: Int) { self.limit = limit }

  /// Whether another callout is too many; counts it if not. Looks at the clock once in a while only.
  @inline(__always)
  mutating func isOver(on loop: RunLoop) -> Bool {
    if count == limit { return true }
    count &+= 1
    return count & (Limit.calloutsBetweenClocks &- 1) == 0 && isTooLong(on: loop)
  }

  @inline(never)
  private mutating func isTooLong(on loop: RunLoop) -> Bool {
    guard let run = loop.innermost, run.deadline != nil || loop.needsClock(run) else { return false }
    let now = loop.poller.now()
    if begin == 0 { begin = now }
    return now >= run.deadline ?? .max || now - begin >= Limit.timePerTurn
  }
}
