import Workbench

/// All rows, and where and how long they were measured.
struct Report: Sendable {
  let rows: [Row]
  let machine: Machine
  let duration: Duration

  /// Whether Mainspring is in every row as it must be.
  var isAcceptable: Bool { rows.allSatisfy(\.verdict.isAcceptable) }

  /// How many rows there are of each verdict that occurs.
  var tally: String {
    Verdict.allCases.map { verdict in (verdict, rows.count { $0.verdict == verdict }) }
      .filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
  }

  /// One line on what was measured where.
  var foot: String {
    "\(rows.count) \(rows.count == 1 ? "scenario" : "scenarios"): \(tally). "
      + "Measured in \(Int((duration / .seconds(1)).rounded())) s on \(machine)."
  }

  /// The table for people: as wide as asked for, within reason.
  func text(width: Int, isColored: Bool) -> String {
    var table = WrappedTable(
      heads: Self.heads, width: min(120, max(80, width)), shares: [28, nil, 34, 34, nil])
    for row in rows {
      var cells = row.cells.map { WrappedTable.Cell($0) }
      cells[cells.count - 1].color = row.verdict.color
      table.add(cells)
    }
    return table.text(isColored: isColored) + "\n" + foot + "\n"
  }

  /// The table for a page.
  var markdown: String {
    let lines = [Self.heads, Self.heads.map { _ in "---" }] + rows.map(\.cells)
    return lines.map(markdownLine).joined() + "\n" + foot + "\n"
  }

  static let heads = ["SCENARIO", "RULES", Side.coreFoundation.name, Side.mainspring.name, "VERDICT"]
}

extension Row {
  /// As the table has them.
  var cells: [String] {
    [
      scenario.title, scenario.rules.names.joined(separator: ", "), coreFoundation.text, mainspring.text,
      "\(verdict.mark) \(verdict.rawValue)",
    ]
  }
}

extension Verdict {
  fileprivate var color: WrappedTable.Color? {
    switch self {
    case .mended: .green
    case .asGood: nil
    case .worse, .notMended, .notMeasured: .red
    }
  }
}
