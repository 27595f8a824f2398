import Testing

@testable import ScrollList

@Suite struct `The meter of frames` {
  private static let millisecond: UInt64 = 1_000_000
  /// Frames of 16 ms; the one of number n begins at 16 n.
  private func show(_ meter: inout FrameMeter, frame: UInt64, at time: UInt64, delay: UInt64 = 0) {
    meter.shown(
      in: (frame, frame * 16 * Self.millisecond, 16 * Self.millisecond), at: moment(time, delay),
      isTracking: true)
  }
  private func moment(_ time: UInt64, _ delay: UInt64 = 0) -> FrameMeter.Moment {
    .init(time: time * Self.millisecond, delay: delay * Self.millisecond)
  }

  @Test func `a picture that is drawn within its frame misses nothing, however much of it is used`() {
    var meter = FrameMeter()
    for frame: UInt64 in 1...3 {
      meter.looked(at: moment(frame * 16 + 12))
      show(&meter, frame: frame, at: frame * 16 + 15)
      meter.waits(at: moment(frame * 16 + 15))
    }
    #expect(meter.tracking.shown == 3)
    #expect(meter.tracking.missedBusy == 0)
    #expect(meter.tracking.missedStarved == 0)
  }

  @Test func `frames that pass while the loop is busy are its fault`() {
    var meter = FrameMeter()
    meter.looked(at: moment(16))
    show(&meter, frame: 1, at: 17)
    // Busy for 50 ms: the pictures of 2, 3 and 4 do not come.
    meter.looked(at: moment(67))
    show(&meter, frame: 4, at: 68)
    #expect(meter.tracking.missedBusy == 2)
    #expect(meter.tracking.missedStarved == 0)
    #expect(meter.tracking.longestBusy == 50 * Self.millisecond)
  }

  @Test func `a picture that is ready too late costs the frame that it was for`() {
    var meter = FrameMeter()
    meter.looked(at: moment(16))
    show(&meter, frame: 1, at: 17)
    meter.looked(at: moment(33))
    show(&meter, frame: 2, at: 50)
    #expect(meter.tracking.missedBusy == 1)
  }

  @Test func `what the thread waited for a processor is not its fault`() {
    var meter = FrameMeter()
    meter.looked(at: moment(16))
    show(&meter, frame: 1, at: 17)
    meter.looked(at: moment(67, 45))
    show(&meter, frame: 4, at: 68, delay: 45)
    #expect(meter.tracking.missedBusy == 0)
    #expect(meter.tracking.missedStarved == 2)
  }

  @Test func `nor is what the display's server was late by, while the loop looked`() {
    var meter = FrameMeter()
    meter.looked(at: moment(16))
    show(&meter, frame: 1, at: 17)
    meter.waits(at: moment(18))
    meter.looked(at: moment(66))
    show(&meter, frame: 4, at: 67)
    #expect(meter.tracking.missedStarved == 2)
    #expect(meter.tracking.missedBusy == 0)
  }
}
