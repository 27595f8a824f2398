extension Report {
  private static let tableHeads = ["WHEN (UTC)", "LENGTH", "KIND", "STATE", "CLASS", "LOOP", "TITLE"]
  /// A loop's name takes no more than this of the title's room.
  private static let loopWidthMax = 24

  /// A line a report, in the order given, below a line with the columns' heads; nothing without reports.
  ///
  /// The title is as long as the line has room.
  /// - Complexity: O(frames of those that have no fingerprint yet).
  package static func table(of reports: [Report], style: Style) -> String {
    guard !reports.isEmpty else { return "" }
    let rows = reports.map(\.cells)
    let widths = tableHeads.indices.dropLast().map { column in
      max(tableHeads[column].count, rows.map { $0[column].count }.max() ?? 0)
    }
    func line(_ cells: [String]) -> [String] {
      cells.enumerated().map { column, cell in
        guard column < widths.count else { return cell }
        return column == 1 ? cell.aligned(right: widths[column]) : cell.aligned(left: widths[column])
      }
    }
    let room = max(10, style.width - widths.reduce(0) { $0 + $1 + 2 })
    let head = style.paint(line(tableHeads).joined(separator: "  "), .label)
    let lines = zip(reports, rows).map { report, row in
      var cells = line(row)
      cells[6] = cells[6].elided(to: room)
      // Those that nobody has seen the end of.
      if report.state == .ongoing || report.state == .unrecovered {
        cells[3] = style.paint(cells[3], .culprit)
      }
      return cells.joined(separator: "  ").withoutTrailingSpaces
    }
    return ([head] + lines).map { $0 + "\n" }.joined()
  }

  private var cells: [String] {
    [
      CivilTime(time.startUnix).briefDescription, time.duration.spanText, kind.rawValue, state.rawValue,
      cost.verdict?.rawValue ?? "-", loop.name.printable.elided(to: Self.loopWidthMax),
      (fingerprint ?? Fingerprint(of: self)).title.printable,
    ]
  }
}
