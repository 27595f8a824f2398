import Mainspring
import Testing

@testable import StallMonitor

@Suite struct SaturationDetectorTests {
  private static let ms: UInt64 = 1_000_000

  private func look(
    _ now: UInt64, progress: UInt32, awakeSince: UInt64, isBusy: Bool = true, standstill: UInt64 = 0
  )
    -> StallDetector.Look
  {
    var reading = Reading(progress: progress, since: now * Self.ms, isBusy: isBusy)
    reading.awakeSince = awakeSince * Self.ms
    return StallDetector.Look(reading: reading, now: now * Self.ms, standstill: standstill * Self.ms)
  }

  @Test
  func `passes without a wait between them for the threshold are saturation, told once, until the wait`() {
    var detector = SaturationDetector(threshold: 1000 * Self.ms)
    #expect(detector.judge(look(100, progress: 1, awakeSince: 100), isStalled: false) == [.began])
    #expect(detector.judge(look(600, progress: 50, awakeSince: 100), isStalled: false) == [.suspected])
    #expect(
      detector.judge(look(1100, progress: 99, awakeSince: 100), isStalled: false) == [.suspected, .confirmed])
    #expect(detector.judge(look(1200, progress: 120, awakeSince: 100), isStalled: false) == [.suspected])
    let stretch = detector.stretch!
    #expect(
      detector.judge(look(1300, progress: 121, awakeSince: 100, isBusy: false), isStalled: false)
        == [.ended(stretch, at: 1300 * Self.ms)])
  }

  @Test func `a wait between two looks ends it`() {
    var detector = SaturationDetector(threshold: 1000 * Self.ms)
    _ = detector.judge(look(100, progress: 1, awakeSince: 100), isStalled: false)
    _ = detector.judge(look(900, progress: 80, awakeSince: 100), isStalled: false)
    #expect(detector.judge(look(1200, progress: 90, awakeSince: 950), isStalled: false) == [.passed, .began])
    #expect(detector.judge(look(1900, progress: 180, awakeSince: 950), isStalled: false) == [.suspected])
  }

  @Test func `a long pass that is on does not make it`() {
    var detector = SaturationDetector(threshold: 1000 * Self.ms)
    _ = detector.judge(look(100, progress: 1, awakeSince: 100), isStalled: false)
    _ = detector.judge(look(600, progress: 60, awakeSince: 100), isStalled: false)
    var stuck = look(1500, progress: 61, awakeSince: 100)
    stuck.reading.since = 650 * Self.ms
    #expect(detector.judge(stuck, isStalled: false) == [.suspected])
  }

  @Test func `few passes are not saturation, however long`() {
    var detector = SaturationDetector(threshold: 1000 * Self.ms)
    _ = detector.judge(look(100, progress: 1, awakeSince: 100), isStalled: false)
    #expect(detector.judge(look(9000, progress: 4, awakeSince: 100), isStalled: false) == [])
  }

  @Test func `after a stall it counts anew`() {
    var detector = SaturationDetector(threshold: 1000 * Self.ms)
    _ = detector.judge(look(100, progress: 1, awakeSince: 100), isStalled: false)
    _ = detector.judge(look(700, progress: 60, awakeSince: 100), isStalled: false)
    #expect(detector.judge(look(900, progress: 61, awakeSince: 100), isStalled: true) == [.passed])
    #expect(detector.judge(look(1200, progress: 62, awakeSince: 100), isStalled: false) == [.began])
    #expect(detector.judge(look(2100, progress: 200, awakeSince: 100), isStalled: false) == [.suspected])
    #expect(
      detector.judge(look(2200, progress: 210, awakeSince: 100), isStalled: false) == [
        .suspected, .confirmed,
      ])
  }

  @Test func `time in which everything stood still does not count`() {
    var detector = SaturationDetector(threshold: 1000 * Self.ms)
    _ = detector.judge(look(100, progress: 1, awakeSince: 100), isStalled: false)
    #expect(
      detector.judge(look(2000, progress: 60, awakeSince: 100, standstill: 1500), isStalled: false) == [
        .suspected
      ])
  }
}
