import Mainspring

/// Numbers the frames of a compositor, which tells when one begins and not which.
///
/// Who asked for a frame before it could begin was told of the next. Who came too late has missed as many as fit between.
struct FrameCount {
  private var rate: MeasuredRate
  /// The frame that was told last, or stood for it.
  private(set) var last: (number: UInt64, date: UInt64)?

  init(millihertz: UInt64) { rate = MeasuredRate(millihertz: millihertz) }

  var millihertz: UInt64 { rate.millihertz }
  /// From frame to frame, ns.
  var period: UInt64 { 1_000_000_000_000 / rate.millihertz }

  /// A frame that began at `date`.
  ///
  /// - Parameter asked: when it was asked for, ns; nil where that says nothing of how many have passed.
  mutating func note(at date: UInt64, asked: UInt64?) -> UInt64 {
    guard let last else { return begin(at: date) }
    let date = max(date, last.date + 1)
    let isNext = asked.map { $0 < last.date + period } ?? false
    let number = last.number + (isNext ? 1 : max(1, (date - last.date + period / 2) / period))
    // Only from one to the next is it known how long a frame lasts.
    if !isNext { rate.beginAnew() }
    rate.note(number, at: date)
    self.last = (number, date)
    return number
  }

  /// A frame that nobody told of: the one after the last, now, or the one that would be shown now if all had gone on.
  mutating func standIn(at now: UInt64, goingOn: Bool) -> (number: UInt64, date: UInt64) {
    guard let last else { return (begin(at: now), now) }
    let passed = goingOn && now > last.date ? max(1, (now - last.date) / period) : 1
    let frame = (last.number + passed, goingOn ? last.date + passed * period : max(now, last.date + 1))
    self.last = frame
    rate.beginAnew()
    return frame
  }

  /// When a frame would begin if all went on.
  func date(of number: UInt64) -> UInt64? {
    last.map { $0.date + (number > $0.number ? number - $0.number : 0) * period }
  }

  private mutating func begin(at date: UInt64) -> UInt64 {
    last = (0, date)
    rate.note(0, at: date)
    return 0
  }
}
