/// A stretch of time on the monotonic clock, ns.
public struct Interval: Sendable, Equatable {
  public var start: UInt64
  public var end: UInt64

  /// One that would end before it starts is empty.
  public init(_ start: UInt64, _ end: UInt64) {
    self.start = start
    self.end = max(start, end)
  }

  public var length: UInt64 { end - start }

  /// How long both last at the same time.
  public func overlap(with other: Interval) -> UInt64 {
    let (low, high) = (max(start, other.start), min(end, other.end))
    return high > low ? high - low : 0
  }
}
