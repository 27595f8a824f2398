/// A table whose first column is of names and whose others are of numbers, each with something beside it.
struct Table: Sendable {
  struct Cell: Sendable {
    let text: String
    let beside: String
    let color: Color?

    init(_ text: String, beside: String = "", color: Color? = nil) {
      self.text = text
      self.beside = beside
      self.color = color
    }
  }

  enum Color: Int, Sendable {
    case red = 31
    case green = 32
  }

  private let heads: [String]
  private var rows: [[Cell]] = []

  init(heads: [String]) { self.heads = heads }

  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == heads.count, "\(cells.count) cells for \(heads.count) columns")
    rows.append(cells)
  }

  /// The table, each line ended by a line feed, none by spaces.
  func text(isColored: Bool) -> String {
    let widths = heads.indices.map { column in
      (
        text: max(rows.map { $0[column].text.count }.max() ?? 0, heads[column].count),
        beside: rows.map { $0[column].beside.count }.max() ?? 0
      )
    }
    let lines = [heads.map { Cell($0) }] + rows
    return lines.map { cells in
      Self.line(cells.indices.map { Self.cell(cells[$0], widths[$0], isNumber: $0 > 0, isColored) })
    }.joined()
  }

  private static func cell(
    _ cell: Cell, _ width: (text: Int, beside: Int), isNumber: Bool, _ isColored: Bool
  ) -> String {
    let text = cell.text.padded(to: width.text, isNumber: isNumber)
    if width.beside == 0 { return text }
    let beside = " " + cell.beside
    let spaces = String(repeating: " ", count: width.beside - cell.beside.count)
    return (isColored ? colored(text + beside, cell.color) : text + beside) + spaces
  }

  private static func line(_ cells: [String]) -> String {
    var line = cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }

  private static func colored(_ text: String, _ color: Color?) -> String {
    color.map { "\u{1B}[\($0.rawValue)m\(text)\u{1B}[0m" } ?? text
  }
}
