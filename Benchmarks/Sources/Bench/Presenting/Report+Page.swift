import Foundation
import Workbench

extension Report {
  /// What stands behind the mark of that name in a page: tables have names, the goals are `goals`, and `circumstances` is
  /// where and when it was measured. Nil if it was not measured.
  func pageText(of name: String) -> String? {
    switch name {
    case "circumstances": foot
    case "goals": goals.isEmpty ? nil : goalsMarkdown
    default: Tables.all.first { $0.name == name }.flatMap(markdown)
    }
  }

  private func markdown(of whole: Table) -> String? {
    let table = measured(whole)
    let rows = peers(of: table)
    guard !rows.isEmpty else { return nil }
    let heads = [""] + table.columns.map(\.title)
    let cells = rows.map { peer in
      [title(of: peer)] + table.columns.map { cell(peer, $0) }
    }
    return trimmed([heads, heads.map { _ in "---" }] + cells)
  }

  /// The median, the least in brackets, and the median with a hog.
  private func cell(_ peer: Peer, _ column: Table.Column) -> String {
    let hog = loads.count > 1 ? median(peer, column, .hog) : ""
    return median(peer, column, loads[0]) + (minimum(peer, column, loads[0]).map { " (\($0))" } ?? "")
      + (hog.isEmpty ? "" : ", \(hog)")
  }

  private var goalsMarkdown: String {
    let heads = ["", "goal"] + loads.flatMap { [$0.title, "against", "ratio"] }
    let rows = goals.map { goal in
      [goal.workload, goal.text] + loads.flatMap { cells(of: goal, under: $0) }
    }
    let notes = goals.flatMap { self.notes(of: $0) }.map { "\n- " + $0 }.joined()
    return trimmed([heads, heads.map { _ in "---" }] + rows)
      + "\n\n\(tally.reached) of \(tally.all) reached, under every load that they were measured under."
      + (notes.isEmpty ? "" : "\n" + notes)
  }

  private func cells(of goal: Goal, under load: Load) -> [String] {
    guard let judgement = goal.judged(by: samples, under: load) else {
      return [goal.isMeasured(by: plan, under: load) ? "?" : "", "", ""]
    }
    return [
      judgement.mark + " " + goal.unit.text(judgement.ours), goal.unit.text(judgement.theirs),
      judgement.ratio.map(threeDigits) ?? "",
    ]
  }

  private func trimmed(_ lines: [[String]]) -> String {
    lines.map(markdownLine).joined().trimmingCharacters(in: .newlines)
  }
}
