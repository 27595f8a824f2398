/// All rows, and how long it took to count them.
struct Report: Sendable {
  let rows: [Row]
  /// Operations of the file that there are not.
  let unknown: [String]
  let duration: Duration

  var isAcceptable: Bool {
    unknown.isEmpty
      && rows.allSatisfy { $0.figures.allSatisfy { $0.verdict != .over && $0.verdict != .noLimit } }
  }

  /// The table for people, and below it what is to be done.
  func text(isColored: Bool) -> String {
    var table = Table(heads: ["OPERATION"] + Measure.allCases.map { $0.rawValue.uppercased() })
    for row in rows {
      table.add([.init(row.operation.name)] + Measure.allCases.map { Self.cell(row.figure($0)) })
    }
    return table.text(isColored: isColored) + "\n" + complaints + foot + "\n"
  }

  /// Each thing that is not as it must be.
  var complaints: String {
    let lines = rows.flatMap { row in row.figures.compactMap { Self.complaint(row, $0) } }
    let strays = unknown.map { "\($0): there is no such operation; take its limits out\n" }
    return (lines + strays).joined()
  }

  var foot: String {
    let figures = rows.flatMap(\.figures)
    let over = figures.count { $0.verdict == .over || $0.verdict == .noLimit }
    let below = figures.count { if case .wellBelow = $0.verdict { true } else { false } }
    let of = "\(rows.count) \(rows.count == 1 ? "operation" : "operations")"
    return "\(figures.count) counts of \(of) in \(Int((duration / .seconds(1)).rounded())) s: "
      + (over == 0 ? "all within their limits" : "\(over) over")
      + (below == 0 ? "." : "; \(below) well below, whose limits --rebase lowers.")
  }

  private static func cell(_ figure: Figure?) -> Table.Cell {
    guard let figure else { return Table.Cell("–") }
    guard figure.isJudged else { return Table.Cell(figure.text) }
    guard let limit = figure.limit else { return Table.Cell(figure.text, beside: "no limit", color: .red) }
    return switch figure.verdict {
    case .within: Table.Cell(figure.text, beside: "of \(limit.number)")
    case .over, .noLimit: Table.Cell(figure.text, beside: "of \(limit.number) ✗", color: .red)
    case .wellBelow: Table.Cell(figure.text, beside: "of \(limit.number) ↓", color: .green)
    }
  }

  private static func complaint(_ row: Row, _ figure: Figure) -> String? {
    let (name, measure) = (row.operation.name, figure.measure.rawValue)
    let parts = row.parts(figure.measure).map { "\($0.name) \(Figure.text(of: $0.each))" }
    let made = parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")"
    switch figure.verdict {
    case .within, .wellBelow: return nil
    case .noLimit:
      return "\(name): no limit; write '\(name) \(measure) \(figure.fittingLimit) WHY' into the limits\n"
    case .over:
      let limit = figure.limit!
      return "\(name): \(figure.text) \(measure)\(made) where there may be \(limit.number): \(limit.reason)\n"
    }
  }
}
