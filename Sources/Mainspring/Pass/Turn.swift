/// The turn of one kind of work in a pass: over after a named number of callouts or, where something waits for a date
/// meanwhile and it is more than a few, after a named time.
struct Turn {
  private let limit: Int
  private var count = 0
  /// When it began, 0 before.
  private var begin: UInt64 = 0

  init(of limit: Int) { self.limit = limit }

  /// Whether another callout is too many; counts it if not. The first few never are: what was found together is served
  /// together, unless it is a flood.
  @inline(__always)
  mutating func isOver(on loop: RunLoop) -> Bool {
    if count == limit { return true }
    count &+= 1
    if count > 1, count <= Limit.calloutsWhateverTheTime { return false }
    return isTimeOver(on: loop)
  }

  @inline(never)
  private mutating func isTimeOver(on loop: RunLoop) -> Bool {
    guard let run = loop.innermost, run.deadline != .max || loop.needsClock(run.view) else { return false }
    return isTooLong(run, at: loop.poller.coarseNow())
  }

  /// By the kernel's last tick, which is cheap to ask before each callout.
  private mutating func isTooLong(_ run: Run, at now: UInt64) -> Bool {
    if begin == 0 {
      begin = now
      return false
    }
    return now >= run.deadline || now - begin >= Limit.timePerTurn
  }
}
