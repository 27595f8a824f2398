import StallReport

/// The JSON of a report from anywhere. What is read is shown in every way, and written and read once more.
enum JSONInput {
  static func read(_ bytes: [UInt8]) {
    do throws(Report.DecodingError) {
      let report = try Report(json: bytes)
      ReportInput.show(report)
      var regrouped = report
      regrouped.computeFingerprint()
      let text = report.json(layout: .pretty)
      guard let again = try? Report(json: Array(text.utf8)) else {
        preconditionFailure("what was read cannot be read once it is written")
      }
      precondition(again.json(layout: .pretty) == text, "what is written differs from what was read")
    } catch {
      ReportInput.check(error.description)
      precondition(!error.description.contains("\n"), "an error of several lines")
    }
  }
}
