/// When a repeating timer fires next.
enum Cadence {
  /// The scheduled date plus the smallest whole number of intervals that is later than `now`: missed fires
  /// become one, and the grid never drifts. Found by division, however far behind the timer is.
  static func next(after scheduled: UInt64, every interval: UInt64, now: UInt64) -> UInt64 {
    precondition(interval > 0, "a repeating timer needs an interval")
    let intervals = now < scheduled ? 1 : (now - scheduled) / interval + 1
    let (distance, overflow) = intervals.multipliedReportingOverflow(by: interval)
    let (date, sumOverflow) = scheduled.addingReportingOverflow(distance)
    return overflow || sumOverflow ? .max : date
  }
}
