import Foundation

/// A page in which what was measured stands behind marks, to be written by this program and never by hand.
///
/// A mark is `<!-- measured: NAME -->` with a scenario's name, or `<!-- measured: all -->` for how many rows there are
/// of each verdict; what stands between it and the next `<!-- end -->` is replaced. How many there are is known only
/// when all that have a mark were measured.
struct Page {
  private let lines: [Substring]

  init(_ path: String) throws {
    self.init(text: try String(contentsOfFile: path, encoding: .utf8))
  }

  init(text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// The page with what the report has. What it does not have stays as it was.
  func filled(from report: Report) -> String {
    let measured = Set(report.rows.map(\.scenario.name))
    let isWhole = lines.compactMap(Self.name).allSatisfy { $0 == Self.all || measured.contains($0) }
    var filled: [Substring] = []
    var isReplaced = false
    for line in lines {
      if isReplaced, line != Self.end { continue }
      filled.append(line)
      isReplaced = false
      if let name = Self.name(in: line), name != Self.all || isWhole, let text = report.markdown(of: name) {
        filled += ["", text[...], ""]
        isReplaced = true
      }
    }
    return filled.joined(separator: "\n")
  }

  fileprivate static let all = "all"
  private static let end = "<!-- end -->"

  private static func name(in line: Substring) -> String? {
    let (before, after) = ("<!-- measured: ", " -->")
    guard line.hasPrefix(before), line.hasSuffix(after) else { return nil }
    return String(line.dropFirst(before.count).dropLast(after.count))
  }
}

extension Report {
  /// What stands behind the mark of that name.
  fileprivate func markdown(of name: String) -> String? {
    if name == Page.all { return foot }
    guard let row = rows.first(where: { $0.scenario.name == name }) else { return nil }
    let cells = Array(row.cells.dropFirst(2))
    let heads = Array(Self.heads.dropFirst(2).dropLast()) + ["verdict"]
    return [heads, heads.map { _ in "---" }, cells].map(Self.markdownLine).joined().trimmingCharacters(
      in: .newlines)
  }
}
