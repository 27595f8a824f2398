import Mainspring
import MainspringTesting
import Testing

@testable import StallUpload

@Suite struct UploadRhythmTests {
  private static let start = RunLoop.Instant(nanoseconds: 1_000_000_000_000)
  private let limits = UploadRhythm.Limits(interval: .seconds(60), countAtOnce: 3)

  private func later(_ span: Duration) -> RunLoop.Instant { Self.start.advanced(by: span) }

  @Test func `with nothing to send there is no date, so that nothing wakes the program`() {
    var rhythm = UploadRhythm(limits)
    #expect(rhythm.nextDate == nil)
    rhythm.mayHaveWork(at: Self.start)
    #expect(rhythm.nextDate == Self.start)
    rhythm.noteNothingWaits()
    #expect(rhythm.nextDate == nil)
  }

  @Test func `a report waits an interval, and those after it only as long as the first`() {
    var rhythm = UploadRhythm(limits)
    rhythm.noteStored(isUrgent: false, at: Self.start)
    #expect(rhythm.nextDate == later(.seconds(60)))
    rhythm.noteStored(isUrgent: false, at: later(.seconds(20)))
    #expect(rhythm.nextDate == later(.seconds(60)))
  }

  @Test func `an urgent report does not wait, nor do many`() {
    var urgent = UploadRhythm(limits)
    urgent.noteStored(isUrgent: true, at: Self.start)
    #expect(urgent.nextDate == Self.start)
    var many = UploadRhythm(limits)
    for _ in 0..<3 { many.noteStored(isUrgent: false, at: Self.start) }
    #expect(many.nextDate == Self.start)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `rests double from a second to an hour, half more or less of it`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var rhythm = UploadRhythm(limits)
    var now = Self.start
    for failure in 0..<40 {
      rhythm.noteFailure(isUnwelcome: false, askedRest: nil, at: now, using: &random)
      let rest = now.duration(to: try #require(rhythm.nextDate))
      let middle = min(Duration.seconds(1) * (1 << min(failure, 20)), .seconds(3600))
      #expect(rest >= middle / 2)
      #expect(rest <= min(middle * 3 / 2, .seconds(3600)))
      now = try #require(rhythm.nextDate)
    }
    rhythm.noteDealtWith(at: now)
    rhythm.noteFailure(isUnwelcome: false, askedRest: nil, at: now, using: &random)
    #expect(now.duration(to: try #require(rhythm.nextDate)) <= .milliseconds(1500))
  }

  @Test func `a server is not asked before it wants to be, but no wish is longer than a day`() throws {
    var random = SeededRandom(seed: 1)
    var rhythm = UploadRhythm(limits)
    rhythm.noteFailure(isUnwelcome: false, askedRest: .seconds(7200), at: Self.start, using: &random)
    #expect(rhythm.nextDate == later(.seconds(7200)))
    rhythm.noteStored(isUrgent: true, at: later(.seconds(10)))
    #expect(rhythm.nextDate == later(.seconds(7200)))
    #expect(rhythm.isResting(at: later(.seconds(7199))))
    #expect(!rhythm.isResting(at: later(.seconds(7200))))
    rhythm.noteFailure(isUnwelcome: false, askedRest: .seconds(1 << 31), at: Self.start, using: &random)
    #expect(rhythm.nextDate == later(.seconds(86_400)))
  }

  @Test func `what nobody mends in a second rests longer`() throws {
    var random = SeededRandom(seed: 1)
    var rhythm = UploadRhythm(limits)
    rhythm.noteFailure(isUnwelcome: true, askedRest: nil, at: Self.start, using: &random)
    #expect(Self.start.duration(to: try #require(rhythm.nextDate)) >= .seconds(30))
  }

  @Test func `after a batch was dealt with the next is looked for at once`() {
    var rhythm = UploadRhythm(limits)
    rhythm.noteStored(isUrgent: false, at: Self.start)
    rhythm.noteDealtWith(at: later(.seconds(61)))
    #expect(rhythm.nextDate == later(.seconds(61)))
  }
}
