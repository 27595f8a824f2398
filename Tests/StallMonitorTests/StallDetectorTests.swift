import Mainspring
import Testing

@testable import StallMonitor

extension StallDetector {
  mutating func judge(
    _ reading: Reading, now: UInt64, standstill: UInt64 = 0, queued: UInt64 = 0, ended: [LongStretch] = []
  ) -> [Verdict] {
    judge(Look(reading: reading, now: now, ended: ended, standstill: standstill, queued: queued))
  }
}

@Suite struct StallDetectorTests {
  private static let ms: UInt64 = 1_000_000

  private func reading(progress: UInt32, since: UInt64, isBusy: Bool = true) -> Reading {
    Reading(progress: progress, since: since, isBusy: isBusy)
  }

  private func record(_ progress: UInt32, _ start: UInt64, _ end: UInt64) -> LongStretch {
    LongStretch(progress: progress, start: start, end: end)
  }

  @Test func `a pass is suspected at 0.4 of the threshold and confirmed at the threshold, once`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    let pass = reading(progress: 7, since: 1000 * Self.ms)
    #expect(detector.judge(pass, now: 1010 * Self.ms, standstill: 0) == [.began])
    #expect(detector.judge(pass, now: 1039 * Self.ms, standstill: 0) == [])
    #expect(detector.judge(pass, now: 1040 * Self.ms, standstill: 0) == [.suspected])
    #expect(detector.judge(pass, now: 1100 * Self.ms, standstill: 0) == [.suspected, .confirmed])
    #expect(detector.judge(pass, now: 1200 * Self.ms, standstill: 0) == [.suspected])
  }

  @Test func `a loop that waits is never stuck, however long`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    let waiting = reading(progress: 7, since: 1000 * Self.ms, isBusy: false)
    for now in stride(from: 1000 * Self.ms, to: 9000 * Self.ms, by: Int(500 * Self.ms)) {
      #expect(detector.judge(waiting, now: now, standstill: 0) == [])
    }
  }

  @Test func `many short passes are no stall`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    for step in 0..<100 as Range<UInt64> {
      let now = 1000 * Self.ms + step * 50 * Self.ms
      let verdicts = detector.judge(
        reading(progress: UInt32(step), since: now - 20 * Self.ms), now: now, standstill: 0)
      #expect(!verdicts.contains(.confirmed))
    }
  }

  @Test func `the end is the stamp of what came next`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    let pass = reading(progress: 7, since: 1000 * Self.ms)
    _ = detector.judge(pass, now: 1000 * Self.ms, standstill: 0)
    _ = detector.judge(pass, now: 1150 * Self.ms, standstill: 0)
    let candidate = detector.candidate!
    let next = reading(progress: 8, since: 1180 * Self.ms)
    let pastIt = record(7, 1000 * Self.ms, 1180 * Self.ms)
    #expect(
      detector.judge(next, now: 1200 * Self.ms, ended: [pastIt])
        == [.ended(candidate, at: 1180 * Self.ms), .began])
  }

  @Test func `time by which the watcher was late does not count`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    let pass = reading(progress: 7, since: 1000 * Self.ms)
    _ = detector.judge(pass, now: 1000 * Self.ms, standstill: 0)
    // The process was stopped for nine seconds.
    let verdicts = detector.judge(pass, now: 10_030 * Self.ms, standstill: 9_000 * Self.ms)
    #expect(verdicts == [])
    #expect(detector.judge(pass, now: 10_100 * Self.ms, standstill: 0) == [.suspected, .confirmed])
    #expect(detector.candidate?.excluded == 9_000 * Self.ms)
  }

  @Test func `nor does it of a pass that the watcher first sees after it was late`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    // Short passes; in one of them the process is stopped for two seconds.
    _ = detector.judge(reading(progress: 7, since: 1000 * Self.ms), now: 1005 * Self.ms, standstill: 0)
    let met = reading(progress: 8, since: 1015 * Self.ms)
    #expect(detector.judge(met, now: 3040 * Self.ms, standstill: 2000 * Self.ms) == [.passed, .began])
    #expect(detector.judge(met, now: 3110 * Self.ms, standstill: 0) == [.suspected])
    #expect(detector.judge(met, now: 3120 * Self.ms, standstill: 0) == [.suspected, .confirmed])
  }

  @Test func `no more is taken off than a pass has lasted`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    let pass = reading(progress: 7, since: 9000 * Self.ms)
    _ = detector.judge(pass, now: 9060 * Self.ms, standstill: .max)
    #expect(detector.candidate?.excluded == 60 * Self.ms)
    #expect(detector.judge(pass, now: 9165 * Self.ms, standstill: 0) == [.suspected, .confirmed])
  }

  @Test func `a loop that ends in a pass leaves its stamp, which is not the end's`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    _ = detector.judge(reading(progress: 7, since: 1000 * Self.ms), now: 1000 * Self.ms, standstill: 0)
    _ = detector.judge(reading(progress: 7, since: 1000 * Self.ms), now: 1150 * Self.ms, standstill: 0)
    let candidate = detector.candidate!
    let over = reading(progress: 7, since: 1000 * Self.ms, isBusy: false)
    #expect(
      detector.judge(over, now: 1200 * Self.ms, standstill: 0) == [.ended(candidate, at: 1200 * Self.ms)])
  }

  @Test func `a loop that was busy before it was watched counts from the first look`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    let pass = reading(progress: 7, since: 0)
    #expect(detector.judge(pass, now: 5000 * Self.ms, standstill: 0) == [.began])
    #expect(detector.judge(pass, now: 5101 * Self.ms, standstill: 0) == [.suspected, .confirmed])
    #expect(detector.candidate?.start == 5000 * Self.ms)
  }

  @Test func `a pass that ended past the threshold between two looks is a stall`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    _ = detector.judge(reading(progress: 7, since: 1000 * Self.ms), now: 1000 * Self.ms, standstill: 0)
    _ = detector.judge(reading(progress: 7, since: 1000 * Self.ms), now: 1090 * Self.ms, standstill: 0)
    let verdicts = detector.judge(
      reading(progress: 12, since: 1108 * Self.ms, isBusy: false), now: 1110 * Self.ms,
      ended: [record(7, 1000 * Self.ms, 1105 * Self.ms)])
    guard case .ended(let candidate, let end)? = verdicts.first else {
      Issue.record("the stall was missed: \(verdicts)")
      return
    }
    #expect(candidate.start == 1000 * Self.ms)
    #expect(end == 1105 * Self.ms)
  }

  @Test func `a stamp of a later pass does not make a stall of an earlier one`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    _ = detector.judge(reading(progress: 7, since: 1000 * Self.ms), now: 1000 * Self.ms, standstill: 0)
    _ = detector.judge(reading(progress: 7, since: 1000 * Self.ms), now: 1080 * Self.ms, standstill: 0)
    let verdicts = detector.judge(
      reading(progress: 9, since: 1125 * Self.ms), now: 1130 * Self.ms, standstill: 0)
    #expect(verdicts == [.passed, .began])
  }

  @Test func `time by which the watcher was late does not count at the end, either`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    _ = detector.judge(reading(progress: 7, since: 1000 * Self.ms), now: 1000 * Self.ms, standstill: 0)
    // Stopped for two seconds in a pass that ended right after.
    let verdicts = detector.judge(
      reading(progress: 8, since: 3010 * Self.ms), now: 3020 * Self.ms, standstill: 2000 * Self.ms,
      ended: [record(7, 1000 * Self.ms, 3010 * Self.ms)])
    #expect(verdicts.first == .passed)
  }

  @Test func `a pass that began and ended between two looks is told by its record`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    let long = record(9, 1010 * Self.ms, 1130 * Self.ms)
    let verdicts = detector.judge(
      reading(progress: 14, since: 1150 * Self.ms, isBusy: false), now: 1160 * Self.ms, ended: [long])
    guard case .missed(let candidate, long)? = verdicts.first else {
      Issue.record("the stall was missed: \(verdicts)")
      return
    }
    #expect(candidate.start == 1010 * Self.ms)
    #expect(candidate.isConfirmed)
  }

  @Test func `what ended is judged by what was before the pass that is on`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    var look = StallDetector.Look(reading: reading(progress: 14, since: 3155 * Self.ms), now: 3160 * Self.ms)
    look.ended = [record(9, 1010 * Self.ms, 3150 * Self.ms)]
    look.window = 2150 * Self.ms
    // The pass that is on ran all the time; before it everything stood still.
    look.before = (standstill: 2100 * Self.ms, queued: 0)
    #expect(detector.judge(look) == [.began])
    look.before = nil
    detector = StallDetector(.init(threshold: 100 * Self.ms))
    #expect(detector.judge(look).first != .began)
  }

  @Test func `a pass that was not on at the look before did not begin before that, whatever its stamp is`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    // Stopped after it took the stamp of pass 8, before it showed it.
    _ = detector.judge(
      reading(progress: 7, since: 1000 * Self.ms), now: 3000 * Self.ms, standstill: 1990 * Self.ms)
    var look = StallDetector.Look(reading: reading(progress: 8, since: 1010 * Self.ms), now: 3020 * Self.ms)
    look.window = 20 * Self.ms
    #expect(detector.judge(look) == [.passed, .began])
    look.reading = reading(progress: 30, since: 3035 * Self.ms)
    (look.now, look.ended) = (3040 * Self.ms, [record(8, 1010 * Self.ms, 3030 * Self.ms)])
    #expect(detector.judge(look) == [.passed, .began])
    look.reading = reading(progress: 60, since: 3055 * Self.ms)
    (look.now, look.ended) = (3060 * Self.ms, [record(31, 1010 * Self.ms, 3045 * Self.ms)])
    #expect(detector.judge(look) == [.passed, .began])
  }

  @Test func `of such a pass only that counts which lies before the standstill`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    let verdicts = detector.judge(
      reading(progress: 14, since: 1150 * Self.ms, isBusy: false), now: 1160 * Self.ms,
      standstill: 60 * Self.ms, ended: [record(9, 1010 * Self.ms, 1130 * Self.ms)])
    #expect(verdicts == [])
  }

  @Test func `a pass that mostly waited for a processor is the host's, until it lasts for long`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms, starvation: 1000 * Self.ms))
    let pass = reading(progress: 7, since: 1000 * Self.ms)
    _ = detector.judge(pass, now: 1000 * Self.ms)
    #expect(detector.judge(pass, now: 1150 * Self.ms, queued: 100 * Self.ms) == [.suspected])
    #expect(detector.judge(pass, now: 1990 * Self.ms, queued: 800 * Self.ms) == [.suspected])
    #expect(detector.judge(pass, now: 2000 * Self.ms, queued: 10 * Self.ms) == [.suspected, .confirmed])
    #expect(detector.candidate!.isStarved(at: 2000 * Self.ms, threshold: 100 * Self.ms))
  }

  @Test func `what a pass did for the threshold itself counts, whatever it waited besides`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    let pass = reading(progress: 7, since: 1000 * Self.ms)
    _ = detector.judge(pass, now: 1000 * Self.ms)
    #expect(
      detector.judge(pass, now: 1300 * Self.ms, queued: 190 * Self.ms) == [.suspected, .confirmed])
    #expect(!detector.candidate!.isStarved(at: 1300 * Self.ms, threshold: 100 * Self.ms))
  }

  @Test func `time that was declared as a wait is taken off`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    var pass = reading(progress: 7, since: 1000 * Self.ms)
    _ = detector.judge(pass, now: 1000 * Self.ms)
    pass.paused = 450 * Self.ms
    #expect(detector.judge(pass, now: 1500 * Self.ms) == [.suspected])
    #expect(detector.judge(pass, now: 1550 * Self.ms) == [.suspected, .confirmed])
    #expect(detector.candidate?.paused == 450 * Self.ms)
  }

  @Test func `before the first wait a pass may last for the launch's threshold`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms, launch: 2000 * Self.ms))
    var pass = reading(progress: 7, since: 1000 * Self.ms)
    pass.hasWaited = false
    _ = detector.judge(pass, now: 1000 * Self.ms)
    #expect(detector.judge(pass, now: 2900 * Self.ms) == [.suspected])
    #expect(detector.judge(pass, now: 3000 * Self.ms) == [.suspected, .confirmed])
    #expect(detector.candidate?.isLaunch == true)
  }

  @Test func `the time to the next grade is that to suspicion, and then to the threshold`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    #expect(detector.timeToNextGrade(at: 0) == nil)
    let pass = reading(progress: 7, since: 1000 * Self.ms)
    _ = detector.judge(pass, now: 1010 * Self.ms)
    #expect(detector.timeToNextGrade(at: 1010 * Self.ms) == 30 * Self.ms)
    #expect(detector.timeToNextGrade(at: 1040 * Self.ms) == 60 * Self.ms)
    _ = detector.judge(pass, now: 1100 * Self.ms)
    #expect(detector.timeToNextGrade(at: 1100 * Self.ms) == nil)
  }

  @Test func `a pass that is over is judged by what was before the one that is on`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    _ = detector.judge(reading(progress: 7, since: 1000 * Self.ms), now: 1000 * Self.ms)
    // Stopped for two seconds in the pass before; the next is 5 ms old, and no standstill fits into it.
    var look = StallDetector.Look(
      reading: reading(progress: 8, since: 3015 * Self.ms), now: 3020 * Self.ms,
      ended: [record(7, 1000 * Self.ms, 3015 * Self.ms)], standstill: 0, window: 2020 * Self.ms)
    look.before = (standstill: 2000 * Self.ms, queued: 0)
    #expect(detector.judge(look) == [.passed, .began])
    #expect(detector.candidate?.excluded == 0)
  }

  @Test func `a stamp from before the look before is believed of a loop that was found to be busy later`() {
    var detector = StallDetector(.init(threshold: 100 * Self.ms))
    var pinged = reading(progress: 8, since: 1000 * Self.ms)
    pinged.awakeSince = 1050 * Self.ms
    let look = StallDetector.Look(reading: pinged, now: 1055 * Self.ms, window: 10 * Self.ms)
    #expect(detector.judge(look) == [.began, .suspected])
    #expect(detector.candidate?.start == 1000 * Self.ms)
  }
}
