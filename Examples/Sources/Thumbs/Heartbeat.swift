/// How regularly a timer was called: the longest gap is what a user of the program would have felt.
struct Heartbeat {
  static let interval = Duration.milliseconds(50)

  private(set) var count = 0
  private(set) var longestGap = Duration.zero
  private var last: Duration?

  /// Notes a beat, at a time since any fixed moment.
  mutating func beat(at time: Duration) {
    if let last { longestGap = max(longestGap, time - last) }
    last = time
    count += 1
  }
}
