import Foundation
import Testing

@testable import StallReport

@Suite struct `Civil time` {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_790_086_400_123_999_999, "2026-09-22T14:13:20.123Z"),
    (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
    (Int64.min, "1677-09-21T00:12:43.145Z"), (Int64.max, "2262-04-11T23:47:16.854Z"),
  ])
  func `known instants`(nanoseconds: Int64, expected: String) {
    #expect(CivilTime(Report.UnixTime(nanoseconds: nanoseconds)).description == expected)
  }

  @Test func `every day from 1900 to 2100 is Foundation's`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for day in stride(from: -25_567, to: 47_482, by: 1) {
      let civil = CivilTime(Report.UnixTime(nanoseconds: Int64(day) * 86_400_000_000_000))
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      guard (civil.year, civil.month, civil.day) == (parts.year, parts.month, parts.day) else {
        Issue.record("day \(day): \(civil) is not \(parts)")
        return
      }
    }
  }
}
