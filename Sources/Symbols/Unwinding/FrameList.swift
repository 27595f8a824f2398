/// The frames of a stack while it is followed: the innermost ones, and the latest of those further out.
///
/// An endless recursion has a million frames. The middle ones are only counted, so that a list never grows beyond
/// its limit.
struct FrameList {
  /// The latest frame: the one that is stepped out of next.
  var last: UnwoundFrame
  /// How many there are, those included that are not kept.
  private(set) var count = 1
  /// The innermost frames, without the last one.
  private var innermost: [UnwoundFrame] = []
  /// The frames behind them, without the last one, in a ring: the oldest is replaced.
  private var outermost: [UnwoundFrame] = []
  private var oldest = 0
  private let countMax: Int

  /// - Parameter countMax: how many are kept, at least 4: of more, the outermost quarter and the innermost rest.
  init(_ first: UnwoundFrame, countMax: Int) {
    precondition(countMax >= 4, "a limit of \(countMax) frames")
    last = first
    self.countMax = countMax
  }

  private var innermostCountMax: Int { countMax - countMax / 4 }
  /// One more than is kept at the end: the last frame may be taken away again.
  private var ringCount: Int { countMax / 4 }

  mutating func append(_ frame: UnwoundFrame) {
    keep(last)
    last = frame
    count += 1
  }

  private mutating func keep(_ frame: UnwoundFrame) {
    if innermost.count < innermostCountMax {
      innermost.append(frame)
    } else if outermost.count < ringCount {
      outermost.append(frame)
    } else {
      outermost[oldest] = frame
      oldest = (oldest + 1) % ringCount
    }
  }

  /// Takes the latest away again, if another is kept.
  mutating func removeLast() {
    straighten()
    guard let former = outermost.popLast() ?? innermost.popLast() else { return }
    last = former
    count -= 1
  }

  /// Puts the ring in order.
  private mutating func straighten() {
    outermost = Array(outermost[oldest...] + outermost[..<oldest])
    oldest = 0
  }

  /// The frames that are kept, and how many were not.
  func stack(end: UnwoundStack.End) -> UnwoundStack {
    let beyond = innermost.count + outermost.count + 1 > countMax ? 1 : 0
    let kept = innermost + (outermost[oldest...] + outermost[..<oldest]).dropFirst(beyond) + [last]
    return UnwoundStack(
      frames: kept, end: end, omittedCount: count - kept.count, omittedAfter: max(0, innermost.count - 1))
  }
}
