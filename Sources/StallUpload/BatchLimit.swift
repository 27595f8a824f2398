/// How much goes into one batch. A server that finds it too much is given less, down to one report.
struct BatchLimit: Sendable, Equatable {
  let countMax: Int
  let bytesMax: Int
  private(set) var count: Int

  init(count: Int, bytes: Int) {
    (countMax, bytesMax, self.count) = (max(1, count), bytes, max(1, count))
  }

  /// Whether one more of this size still fits; the first always does.
  func admits(bytes: Int, after taken: (count: Int, bytes: Int)) -> Bool {
    taken.count == 0 || taken.count < count && taken.bytes + bytes <= bytesMax
  }

  /// The server would not have so many: half of them next.
  mutating func shrink(from count: Int) { self.count = max(1, count / 2) }

  /// The server took them: twice as many next, up to the most.
  mutating func grow() { count = min(countMax, count * 2) }
}
