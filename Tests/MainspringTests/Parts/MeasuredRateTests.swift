import Mainspring
import Testing

@Suite struct MeasuredRateTests {
  /// The rate after frames at these dates, in ms.
  private func rate(of frames: [(number: UInt64, milliseconds: UInt64)]) -> UInt64 {
    var rate = MeasuredRate(millihertz: 60_000)
    for frame in frames { rate.note(frame.number, at: frame.milliseconds * 1_000_000) }
    return rate.millihertz
  }

  @Test func `M55: the rate of a display is measured over several of its frames, missed ones too`() {
    #expect(rate(of: (0..<20).map { ($0, 1000 + $0 * 10) }) == 100_000)
    #expect(rate(of: [(5, 1000), (25, 1200)]) == 100_000)
    // Of two frames nothing is believed.
    #expect(rate(of: [(5, 1000), (6, 1010)]) == 60_000)
  }

  @Test func `M55: a rate that changes is measured anew`() {
    let slow = (0..<500).map { (number: UInt64($0), milliseconds: 1000 + UInt64($0) * 20) }
    let fast = (0..<700).map { (number: 500 + UInt64($0), milliseconds: 11_000 + UInt64($0) * 5) }
    #expect(rate(of: slow) == 50_000)
    #expect(rate(of: slow + fast) == 200_000)
  }

  @Test func `M55: where outputs have changed the rate is measured anew at once`() {
    var rate = MeasuredRate(millihertz: 60_000)
    for frame in 0..<UInt64(200) { rate.note(frame, at: (1000 + frame * 20) * 1_000_000) }
    #expect(rate.millihertz == 50_000)
    rate.beginAnew()
    for frame in 0..<UInt64(9) { rate.note(200 + frame, at: (5000 + frame * 5) * 1_000_000) }
    #expect(rate.millihertz == 200_000)
  }

  @Test func `M55: what is no display's rate is not believed`() {
    #expect(rate(of: [(0, 1000), (1 << 59, 1001)]) == 60_000)
    #expect(rate(of: [(100, 1000), (0, 2000), (9, 1_000_000)]) == 60_000)
    #expect(rate(of: [(0, 1000), (20, 1000)]) == 60_000)
  }
}
