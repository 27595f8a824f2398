/// Texts in columns, laid out for eyes.
struct Grid: Sendable {
  /// A text, and the colour of it where colours are wanted.
  struct Cell: Sendable {
    let text: String
    var color: Color?

    init(_ text: String, _ color: Color? = nil) {
      self.text = text
      self.color = color
    }
  }

  enum Color: Int, Sendable {
    case red = 31
    case green = 32
  }

  enum Side: Sendable { case left, right }

  /// The side on which each column is flush, and how far it stands from the one before.
  let columns: [(side: Side, gap: Int)]
  private var rows: [[Cell]] = []

  init(columns: [(side: Side, gap: Int)]) { self.columns = columns }

  /// Adds a row of one cell a column.
  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "\(cells.count) cells for \(columns.count) columns")
    rows.append(cells)
  }

  /// The rows, each a line; columns without any text are left out.
  func text(isColored: Bool) -> String {
    let widths = columns.indices.map { column in rows.map { $0[column].text.count }.max() ?? 0 }
    return rows.map { line($0, widths, isColored) + "\n" }.joined()
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ isColored: Bool) -> String {
    var text = ""
    // Spaces only before something: no line ends in one.
    var missing = 0
    for (index, cell) in cells.enumerated() where widths[index] > 0 {
      let padding = widths[index] - cell.text.count
      missing += index == 0 ? 0 : columns[index].gap
      if columns[index].side == .right { missing += padding }
      if !cell.text.isEmpty {
        text += String(repeating: " ", count: missing) + (isColored ? colored(cell) : cell.text)
        missing = 0
      }
      if columns[index].side == .left { missing += padding }
    }
    return text
  }

  private func colored(_ cell: Cell) -> String {
    cell.color.map { "\u{1B}[\($0.rawValue)m\(cell.text)\u{1B}[0m" } ?? cell.text
  }
}
