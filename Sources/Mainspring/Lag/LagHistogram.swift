extension RunLoop {
  /// How long stretches of a loop's work took, counted by length.
  ///
  /// The counts are of all stretches, none is left out; so many milliseconds in one stretch and the same in a hundred look
  /// different.
  public struct LagHistogram: Sendable, Equatable {
    /// How many stretches were as long as each bucket says; in the order of `upperBounds`, and one more for what is longer.
    public let counts: [UInt64]
    /// The time of all of them together.
    public let total: Duration
    /// The longest of all.
    public let longest: Duration

    init(counts: [UInt64], total: UInt64, longest: UInt64) {
      self.counts = counts
      self.total = .nanoseconds(Int64(clamping: total))
      self.longest = .nanoseconds(Int64(clamping: longest))
    }

    private init(counts: [UInt64], total: Duration, longest: Duration) {
      self.counts = counts
      self.total = total
      self.longest = longest
    }

    /// The stretches of both.
    public static func + (one: Self, other: Self) -> Self {
      Self(
        counts: zip(one.counts, other.counts).map { $0 &+ $1 }, total: one.total + other.total,
        longest: max(one.longest, other.longest))
    }

    /// How many stretches there were.
    public var count: UInt64 { counts.reduce(0, &+) }

    /// The bounds of the buckets: a 64th of a millisecond and each time double of it, so whole milliseconds among them, up to
    /// 65.5 s. A stretch is shorter than its bucket's.
    public static let upperBounds: [Duration] = (0..<bucketCount - 1).map {
      .nanoseconds(Int64(firstBound << UInt64($0)))
    }

    /// ns.
    private static let firstBound: UInt64 = 1_000_000 / 64
    /// The buckets before the one that begins at a millisecond.
    package static let bucketsBelowMillisecond = 7
    static let bucketCount = 24

    /// The bucket of a stretch of so many nanoseconds.
    @inline(__always)
    static func bucket(of nanoseconds: UInt64) -> Int {
      let bits = UInt64.bitWidth - (nanoseconds / firstBound).leadingZeroBitCount
      return min(bits, bucketCount - 1)
    }

    /// A length that this share of the stretches, from 0 to 1, did not exceed: the bound of the bucket, at most the longest
    /// of all; nil if there were none.
    public func quantile(_ share: Double) -> Duration? {
      let count = count
      guard count > 0 else { return nil }
      let rank = max(1, (min(max(share, 0), 1) * Double(count)).rounded(.up))
      var seen: UInt64 = 0
      for (index, bound) in Self.upperBounds.enumerated() {
        seen += counts[index]
        if Double(seen) >= rank { return min(bound, longest) }
      }
      return longest
    }
  }
}
