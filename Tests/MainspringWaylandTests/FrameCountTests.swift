import Testing

@testable import MainspringWayland

@Suite struct FrameCountTests {
  /// Numbers of frames at these dates, in ms, each asked for so many ms before; 100 frames a second.
  private func numbers(of frames: [(date: UInt64, lead: UInt64)]) -> [UInt64] {
    var count = FrameCount(millihertz: 100_000)
    return frames.map { count.note(at: $0.date * 1_000_000, asked: ($0.date - $0.lead) * 1_000_000) }
  }

  @Test func `M55: who asked in time is told of the next frame, early or late`() {
    #expect(numbers(of: [(1000, 5), (1010, 9), (1018, 7), (1031, 12), (1040, 8)]) == [0, 1, 2, 3, 4])
  }

  @Test func `M55: who asked too late has missed as many frames as fit between`() {
    #expect(numbers(of: [(1000, 5), (1210, 8)]) == [0, 21])
    #expect(numbers(of: [(1000, 5), (1034, 2), (1044, 9)]) == [0, 3, 4])
  }

  @Test func `M55: where the clock is another's, only dates count`() {
    var count = FrameCount(millihertz: 100_000)
    let numbers = [1000, 1011, 1029, 1230].map { count.note(at: $0 * 1_000_000, asked: nil) }
    #expect(numbers == [0, 1, 3, 23])
  }

  @Test func `M55: the rate is measured from frame to frame, and not over what was missed`() {
    var count = FrameCount(millihertz: 144_000)
    // A display of fifty that was taken for one of 144.
    for frame in 0..<20 as Range<UInt64> {
      _ = count.note(at: (1000 + frame * 20) * 1_000_000, asked: (981 + frame * 20) * 1_000_000)
    }
    #expect(count.millihertz == 50_000)
    #expect(count.note(at: 1_780_000_000, asked: 1_775_000_000) == 39)
    #expect(count.millihertz == 50_000)
  }

  @Test func `M55: frames never go back, whatever dates the compositor says`() {
    #expect(numbers(of: [(1000, 5), (1000, 5), (900, 5), (1010, 5)]) == [0, 1, 2, 3])
  }

  @Test func `M55: what stands in for a silent compositor begins with the next frame and keeps the grid`() {
    var count = FrameCount(millihertz: 100_000)
    _ = count.note(at: 1_000_000_000, asked: 995_000_000)
    let first = count.standIn(at: 1_250_000_000, goingOn: false)
    #expect(first.number == 1 && first.date == 1_250_000_000)
    #expect(count.date(of: 4) == 1_280_000_000)
    let late = count.standIn(at: 1_285_000_000, goingOn: true)
    #expect(late.number == 4 && late.date == 1_280_000_000)
    // It is heard of again.
    #expect(count.note(at: 1_301_000_000, asked: nil) == 6)
  }
}
