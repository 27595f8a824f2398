/// Counts spans by size, in steps of an eighth.
struct Histogram {
  private var counts = [Int](repeating: 0, count: 64 * 8)
  private(set) var count = 0
  private(set) var largest: UInt64 = 0

  /// - Parameter nanoseconds: any span.
  mutating func add(_ nanoseconds: UInt64) {
    counts[Self.step(of: nanoseconds)] += 1
    count += 1
    largest = max(largest, nanoseconds)
  }

  mutating func add(_ other: Histogram) {
    for step in counts.indices { counts[step] += other.counts[step] }
    count += other.count
    largest = max(largest, other.largest)
  }

  /// The upper end of the step that a share of all spans does not exceed, ns.
  func percentile(_ share: Double) -> UInt64 {
    var left = Int((Double(count) * share).rounded(.up))
    for (step, its) in counts.enumerated() {
      left -= its
      if left <= 0 { return min(largest, Self.end(of: step)) }
    }
    return largest
  }

  /// Three bits behind the highest one.
  private static func step(of value: UInt64) -> Int {
    guard value >= 8 else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    return (exponent - 2) * 8 + Int(value >> UInt64(exponent - 3) & 7)
  }

  private static func end(of step: Int) -> UInt64 {
    guard step >= 8 else { return UInt64(step) }
    let exponent = UInt64(step / 8 + 2)
    return (8 + UInt64(step % 8) + 1) << (exponent - 3)
  }
}
