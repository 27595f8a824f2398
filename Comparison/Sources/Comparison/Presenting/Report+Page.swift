import Foundation
import Workbench

extension Report {
  /// The page with what was measured behind its marks, which are scenarios' names, and `all` for how many rows there are
  /// of each verdict. What was not measured stays as it was; how many there are is known only when all that have a mark
  /// were measured.
  func filling(_ page: Page) -> String {
    let measured = Set(rows.map(\.scenario.name))
    let isWhole = page.names.allSatisfy { $0 == Self.all || measured.contains($0) }
    return page.filled { name in name == Self.all ? (isWhole ? foot : nil) : markdown(of: name) }
  }

  private static let all = "all"

  /// What stands behind the mark of that scenario.
  private func markdown(of name: String) -> String? {
    guard let row = rows.first(where: { $0.scenario.name == name }) else { return nil }
    let cells = Array(row.cells.dropFirst(2))
    let heads = Array(Self.heads.dropFirst(2).dropLast()) + ["verdict"]
    return [heads, heads.map { _ in "---" }, cells].map(markdownLine).joined().trimmingCharacters(
      in: .newlines)
  }
}
