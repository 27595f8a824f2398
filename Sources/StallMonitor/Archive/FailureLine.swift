/// What is told of an archive that cannot be written to: one line when that begins and one when it is over, whatever the
/// number of reports.
struct FailureLine {
  private var lost = 0

  /// A report could not be written. What is to be told, if anything.
  mutating func noteFailure(_ reason: String, of path: String) -> String? {
    lost += 1
    return lost == 1 ? "reports cannot be written to \(path): \(reason)" : nil
  }

  /// A report was written. What is to be told, if anything.
  mutating func noteSuccess(of path: String) -> String? {
    guard lost > 0 else { return nil }
    defer { lost = 0 }
    return "reports are written to \(path) again; \(lost) could not be"
  }
}
