/// The turn of one kind of work in a pass: over after a named number of callouts or, where something waits for a date
/// meanwhile and it is more than a few, after a named time.
struct Turn {
  private let limit: Int
  private var count = 0
  /// When it began, 0 before.
  private var begin: UInt64 = 0

  /// Whether anything waits for a date: looked up for so many callouts at a time as are made whatever the time is.
  private var isTimed = false

  init(of limit: Int) { self.limit = limit }

  /// Whether another callout is too many; counts it if not. The first few never are: what was found together is served
  /// together, unless it is a flood.
  @inline(__always)
  mutating func isOver(on loop: RunLoop, _ view: ModeView) -> Bool {
    if count == limit { return true }
    if count % Limit.calloutsWhateverTheTime == 0 { isTimed = loop.awaitsDate(view) }
    count &+= 1
    if !isTimed || (count > 1 && count <= Limit.calloutsWhateverTheTime) { return false }
    return isTooLong(on: loop)
  }

  /// By the kernel's last tick, which is cheap to ask before each callout.
  @inline(never)
  private mutating func isTooLong(on loop: RunLoop) -> Bool {
    let now = loop.poller.coarseNow()
    if begin == 0 {
      begin = now
      return false
    }
    return now >= loop.innermostDeadline || now - begin >= Limit.timePerTurn
  }
}

extension RunLoop {
  /// Whether a limit, a timer, a descriptor or an observer may have to wait for the end of a turn.
  @inline(__always)
  fileprivate func awaitsDate(_ view: ModeView) -> Bool { innermostDeadline != .max || needsClock(view) }

  @inline(__always)
  fileprivate var innermostDeadline: UInt64 { runDepth == 0 ? .max : runs[runDepth - 1].deadline }
}
