/// A date and time of day in UTC, by the Gregorian calendar.
struct CivilTime: Equatable {
  var year: Int
  var month: Int
  var day: Int
  var millisecondOfDay: Int

  /// The civil time of an instant, rounded down to a millisecond.
  init(_ instant: Report.UnixTime) {
    let (days, ofDay) = Self.floorDivide(Int(instant.nanoseconds), by: 86_400_000_000_000)
    millisecondOfDay = ofDay / 1_000_000
    (year, month, day) = Self.date(daysSinceEpoch: days)
  }

  /// ISO 8601 with milliseconds: `2026-09-21T14:13:20.123Z`.
  var description: String {
    "\(date)T\(timeOfDay).\(Self.padded(millisecondOfDay % 1000, 3))Z"
  }

  /// ISO 8601 with seconds: `2026-09-21T14:13:20Z`.
  var briefDescription: String { "\(date)T\(timeOfDay)Z" }

  /// As Apple's reports have it: `2026-09-21 14:13:20.123 +0000`.
  var spacedDescription: String {
    "\(date) \(timeOfDay).\(Self.padded(millisecondOfDay % 1000, 3)) +0000"
  }

  /// For file names: `20260921T141320.123Z`.
  var compactDescription: String {
    let digits = "\(date)T\(timeOfDay)".filter { $0 != "-" && $0 != ":" }
    return "\(digits).\(Self.padded(millisecondOfDay % 1000, 3))Z"
  }

  private var date: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

  private var timeOfDay: String {
    let second = millisecondOfDay / 1000
    return [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
  }

  /// The date of a day number. Counted from a 1st of March the leap day is a year's last, so that the lengths
  /// of the months before it follow one formula: 153 days for each five of them.
  private static func date(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
    // 719 468 days lie between 0000-03-01 and 1970-01-01; an era has 400 years or 146 097 days.
    let (era, dayOfEra) = floorDivide(daysSinceEpoch + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  private static func floorDivide(_ value: Int, by divisor: Int) -> (Int, Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

extension Report.UnixTime {
  /// The time in UTC as names of files have it: `20260921T141320.123Z`.
  public var compactDescription: String { CivilTime(self).compactDescription }
}
