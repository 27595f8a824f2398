extension Report {
  /// The heads of the columns of ``summary``.
  public static let summaryHeader = summaryRow(
    ["WHEN (UTC)", "LENGTH", "VERDICT", "LOOP", "PHASE", "ISSUE", "CULPRIT"])

  /// The report in one line, to stand in a table below ``summaryHeader``.
  public var summary: String {
    Self.summaryRow([
      CivilTime(time.startUnix).briefDescription, time.duration.spanText, cost.verdict?.rawValue ?? "-",
      loop.name.printable, phase.name.rawValue.printable,
      fingerprint?.level1 ?? Fingerprint(of: self).level1, culprit.name.printable,
    ])
  }

  private static func summaryRow(_ cells: [String]) -> String {
    let widths = [20, 9, 8, 12, 12, 8]
    let aligned = cells.enumerated().map { index, cell in
      guard index < widths.count else { return cell }
      let text = cell.elided(to: widths[index])
      return index == 1 ? text.aligned(right: widths[index]) : text.aligned(left: widths[index])
    }
    return aligned.joined(separator: "  ").withoutTrailingSpaces
  }
}
