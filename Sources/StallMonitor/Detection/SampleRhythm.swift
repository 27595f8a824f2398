/// When a stalled thread is looked at again: often at first, then ever more rarely, and not for ever.
struct SampleRhythm: Sendable {
  private var next: UInt64 = 0
  private var interval: UInt64
  private var first: UInt64?
  private(set) var count = 0

  /// A report holds at most so many samples.
  static let countMax = 64
  /// The rhythm is even for so long, ns, …
  private static let evenTime: UInt64 = 1_000_000_000
  /// … and then each interval is longer by half, up to this, ns.
  private static let intervalMax: UInt64 = 1_000_000_000

  init(tick: UInt64) { interval = tick }

  mutating func isDue(at now: UInt64) -> Bool {
    guard count < Self.countMax, now >= next else { return false }
    let begin = first ?? now
    first = begin
    count += 1
    if now - begin >= Self.evenTime { interval = min(Self.intervalMax, interval + interval / 2) }
    next = now + interval
    return true
  }
}
