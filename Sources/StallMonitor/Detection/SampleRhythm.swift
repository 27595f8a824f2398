/// When a stalled thread is looked at again: often at first, then ever more rarely.
struct SampleRhythm: Sendable {
  private var next: UInt64 = 0
  private var interval: UInt64
  private let denseTime: UInt64
  private var first: UInt64?

  /// A report holds at most so many samples: those of a longer stall are thinned out, and come half as often.
  static let countMax = 64
  /// The usual interval, ns, once the first moments are over: what happens around the threshold decides who is blamed.
  static let usualInterval: UInt64 = 50_000_000
  /// The rhythm is even for so long, ns, …
  private static let evenTime: UInt64 = 1_000_000_000
  /// … and then each interval is longer by half, up to this, ns.
  private static let intervalMax: UInt64 = 1_000_000_000

  /// - Parameters:
  ///   - tick: how often the watcher looks, ns.
  ///   - denseTime: for how long it samples at each look, ns.
  init(tick: UInt64, denseTime: UInt64) {
    interval = min(tick, Self.usualInterval)
    self.denseTime = denseTime
  }

  mutating func isDue(at now: UInt64) -> Bool {
    guard now >= next else { return false }
    let begin = first ?? now
    first = begin
    if now - begin >= Self.evenTime {
      interval = interval >= Self.intervalMax ? interval : min(Self.intervalMax, interval + interval / 2)
    } else if now - begin >= denseTime {
      interval = max(interval, Self.usualInterval)
    }
    next = now + interval
    return true
  }

  /// What was sampled has been thinned out: go on at half the pace.
  mutating func slowDown() { interval = min(interval, .max / 4) * 2 }
}
