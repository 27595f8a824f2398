import Mainspring
import MainspringTesting
import Testing

@Suite struct FrameRateMonitorTests {
  private func tick(_ milliseconds: Int, missed: UInt64 = 0) -> RunLoop.DisplayTick {
    let date = RunLoop.Instant(nanoseconds: 1_000_000_000_000).advanced(by: .milliseconds(milliseconds))
    return RunLoop.DisplayTick(
      timestamp: date, targetTimestamp: date.advanced(by: .milliseconds(10)), duration: .milliseconds(10),
      sequence: UInt64(milliseconds / 10), missedFrames: missed)
  }

  @Test func `M55: a monitor tells the frames a second of its window and the share that was missed`() {
    let monitor = RunLoop.FrameRateMonitor(window: .milliseconds(100))
    #expect(monitor.reading.framesPerSecond == 0)
    for time in stride(from: 0, through: 500, by: 10) { monitor.note(tick(time)) }
    #expect(monitor.reading.framesPerSecond == 100)
    #expect(monitor.reading.missedShare == 0)
    monitor.note(tick(550, missed: 4))
    // Six of the ten frames from 450 on, and the one that ends the window.
    #expect(monitor.reading.framesPerSecond == 60)
    #expect(monitor.reading.missedFrames == 4)
    #expect(monitor.reading.missedShare == 4.0 / 11)
    for time in stride(from: 560, through: 700, by: 10) { monitor.note(tick(time)) }
    #expect(monitor.reading.missedFrames == 0)
    #expect(monitor.reading.totalMissedFrames == 4)
    #expect(monitor.reading.totalFrames == 67)
  }

  @Test func `M55: a monitor of a link whose loop is stuck counts what was missed`() {
    let virtual = VirtualRunLoop()
    let monitor = RunLoop.FrameRateMonitor()
    virtual.loop.add(RunLoop.DisplayLink(refreshRate: 60) { _, tick in monitor.note(tick) }, to: .common)
    virtual.loop.add(
      RunLoop.Timer(after: .milliseconds(500)) { _ in virtual.spend(.milliseconds(200)) }, to: .default)
    virtual.loop.run(in: .default, for: .seconds(1))
    let reading = monitor.reading
    #expect(reading.missedFrames == 11 || reading.missedFrames == 12)
    #expect(reading.totalFrames + reading.totalMissedFrames == 60)
  }

  @Test func `M55: a monitor remembers a bounded number of ticks, however long its window`() {
    let monitor = RunLoop.FrameRateMonitor(window: .seconds(1_000_000))
    for time in 0..<10_000 { monitor.note(tick(time * 10)) }
    #expect(abs(monitor.reading.framesPerSecond - 100) < 0.001)
    #expect(monitor.reading.totalFrames == 10_000)
  }
}
