import Testing

@testable import StallMonitorDispatch

@Suite struct HeartbeatTests {
  private static let half: UInt64 = 125_000_000

  private func heart(_ pinging: Pinging) -> Heartbeat {
    Heartbeat(threshold: 2 * Self.half, pinging: pinging)
  }

  /// The ns between the pings of a queue that answers at once, until they end; no more than `limit` pings.
  private func gaps(_ heart: inout Heartbeat, limit: Int) -> [UInt64] {
    var gaps: [UInt64] = []
    var action = heart.next(after: .woken)
    while gaps.count < limit {
      guard case .ping(var gap) = action else { break }
      action = heart.next(after: .answered(isInUse: false))
      if case .rest(let rest) = action {
        gap += rest
        action = heart.next(after: .rested)
      }
      gaps.append(gap)
    }
    return gaps
  }

  @Test func `an idle queue is pinged less and less, and then no more`() {
    var heart = heart(.whileInUse)
    #expect(gaps(&heart, limit: 100).map { $0 / Self.half } == [2, 4, 8, 1])
    #expect(heart.next(after: .woken) == .ping(lookIn: Self.half))
  }

  @Test func `a queue that is always pinged is so once a second while it is idle`() {
    var heart = heart(.always)
    let gaps = gaps(&heart, limit: 100)
    #expect(gaps.count == 100)
    #expect(gaps.prefix(3).map { $0 / Self.half } == [2, 4, 8])
    #expect(gaps.dropFirst(3).allSatisfy { $0 == Heartbeat.restMax })
  }

  @Test func `a queue in use is pinged every half threshold`() {
    var heart = heart(.whileInUse)
    _ = gaps(&heart, limit: 2)
    for _ in 0..<10 { #expect(heart.next(after: .answered(isInUse: true)) == .ping(lookIn: Self.half)) }
  }

  @Test
  func
    `a ping that is out is held against a queue that is served, and the next one is not far when it is answered`()
  {
    var heart = heart(.whileInUse)
    _ = heart.next(after: .woken)
    for _ in 0..<20 { #expect(heart.next(after: .unanswered(isServed: true)) == .look(again: Self.half)) }
    #expect(heart.next(after: .answered(isInUse: true)) == .ping(lookIn: Self.half))
  }

  @Test func `a queue that a thread has come to late is looked at as often as ever`() {
    var heart = heart(.whileInUse)
    _ = heart.next(after: .woken)
    for _ in 0..<3 { _ = heart.next(after: .unanswered(isServed: false)) }
    #expect(heart.next(after: .unanswered(isServed: true)) == .look(again: Self.half))
    #expect(heart.next(after: .unanswered(isServed: false)) == .look(again: Self.half))
  }

  @Test func `while the adapter's work is on it looks as often as ever`() {
    var heart = heart(.whileInUse)
    _ = heart.next(after: .woken)
    for _ in 0..<20 { #expect(heart.next(after: .working) == .look(again: Self.half)) }
    #expect(heart.next(after: .unanswered(isServed: true)) == .look(again: Self.half))
  }

  @Test func `a queue that nobody serves is left alone after a while`() {
    var heart = heart(.always)
    _ = heart.next(after: .woken)
    let looks = (0..<20).map { _ in heart.next(after: .unanswered(isServed: false)) }
    #expect(looks.firstIndex(of: .sleep) == 3)
    #expect(heart.next(after: .woken) == .ping(lookIn: Self.half))
  }
}
