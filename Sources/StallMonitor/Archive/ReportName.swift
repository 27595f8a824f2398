import StallReport

/// The name of a report's file: `20261130T014442.123Z-0f6d1c3e-5b0a7c11.json.gz`.
///
/// The start of the stall in UTC, the first eight digits of the report's identifier, and the eight digits of its issue
/// (`fingerprint.level1`), so that which report is the last of its kind is known without opening any. Whatever else is in
/// the folder has another name, and is nobody's business.
package struct ReportName: Hashable {
  /// What all states of a report have in common: `20261130T014442.123Z-0f6d1c3e`.
  var stem: Substring
  /// The eight digits of the issue. A later state may know better, and has others then.
  var issue: Substring
  package var form: Form

  /// What the file holds, as its ending says.
  package enum Form: String, CaseIterable {
    /// A state of a stall that goes on.
    case ongoing = ".json"
    /// The last state.
    case closed = ".json.gz"
    /// The last state, and a server has it.
    case sent = ".sent.json.gz"
    /// The last state, and a server does not want it.
    case refused = ".refused.json.gz"
    /// What people read.
    case text = ".txt"

    /// Whether it is the last state for tools.
    var isClosed: Bool { self == .closed || self == .sent || self == .refused }
  }

  init(_ report: Report, _ form: Form) {
    stem = Substring("\(report.time.startUnix.compactDescription)-\("\(report.id)".prefix(Self.digitCount))")
    issue = Substring(report.fingerprint?.level1 ?? Self.noIssue)
    self.form = form
  }

  /// Nil if it is not the name of a report's file.
  package init?(_ name: String) {
    let bytes = name.utf8
    guard
      let form = Form.allCases.last(where: {
        bytes.count == Self.baseCount + $0.rawValue.utf8.count
          && name.hasSuffix($0.rawValue)
      }),
      let base = Self.parts(ofBase: name.prefix(Self.baseCount))
    else { return nil }
    (stem, issue, self.form) = (base.stem, base.issue, form)
  }

  private static let digitCount = 8
  private static let noIssue = "00000000"
  static let stemCount = "20261130T014442.123Z-0f6d1c3e".utf8.count
  static let baseCount = stemCount + 1 + digitCount

  /// What goes before the ending.
  var base: String { "\(stem)-\(issue)" }

  /// The same in another form.
  package func named(_ form: Form) -> String { base + form.rawValue }

  /// The first digits of the report's identifier.
  var idPrefix: Substring { stem.suffix(Self.digitCount) }

  /// The folder that it belongs into: `2026-11-30`.
  var day: String { Day.name(ofStamp: stem) }

  private static func parts(ofBase base: Substring) -> (stem: Substring, issue: Substring)? {
    guard matches(base.utf8) else { return nil }
    let stem = base.prefix(stemCount)
    return (stem, base.dropFirst(stemCount + 1))
  }

  /// Letter by letter: `0` stands for a digit and `h` for a hexadecimal one.
  private static let pattern = Array("00000000T000000.000Z-hhhhhhhh-hhhhhhhh".utf8)

  private static func matches(_ name: Substring.UTF8View) -> Bool {
    name.count == pattern.count
      && zip(name, pattern).allSatisfy { byte, expected in
        switch expected {
        case UInt8(ascii: "0"): byte.isDecimalDigit
        case UInt8(ascii: "h"): byte.isHexadecimalDigit
        default: byte == expected
        }
      }
  }
}

extension UInt8 {
  var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  /// In lower case.
  var isHexadecimalDigit: Bool { isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self) }
}
