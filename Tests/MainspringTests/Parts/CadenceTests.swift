@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct CadenceTests {
  @Test(
    arguments: [
      (100, 10, 50, 110), (100, 10, 99, 110), (100, 10, 100, 110), (100, 10, 109, 110), (100, 10, 110, 120),
      (100, 10, 111, 120), (0, 1, 1_000_000_000_000, 1_000_000_000_001),
    ] as [(UInt64, UInt64, UInt64, UInt64)])
  func `M33: the scheduled date plus the smallest number of intervals that is later than now`(
    scheduled: UInt64, interval: UInt64, now: UInt64, expected: UInt64
  ) {
    #expect(Cadence.next(after: scheduled, every: interval, now: now) == expected)
  }

  @Test func `M33: it saturates instead of trapping`() {
    #expect(Cadence.next(after: .max - 5, every: 10, now: 0) == .max)
    #expect(Cadence.next(after: 5, every: .max, now: 7) == .max)
    #expect(Cadence.next(after: 0, every: .max / 2, now: .max - 1) == .max)
  }

  @Test func `M33: random dates are on the grid, later than now, and the first that is`() {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      let scheduled = UInt64.random(in: 0...(1 << 60), using: &random)
      let interval = UInt64.random(in: 1...(1 << UInt64.random(in: 0...58, using: &random)), using: &random)
      let now =
        scheduled + UInt64.random(in: 0...(1 << UInt64.random(in: 0...60, using: &random)), using: &random)
      let next = Cadence.next(after: scheduled, every: interval, now: now)
      guard (next - scheduled).isMultiple(of: interval), next > now, next - now <= interval else {
        Issue.record("seed \(random.seed): \(scheduled) + n × \(interval) after \(now) is not \(next)")
        return
      }
    }
  }

  @Test func `M33: no interval is misuse`() async {
    await #expect(processExitsWith: .failure) { _ = Cadence.next(after: 1, every: 0, now: 1) }
  }
}
