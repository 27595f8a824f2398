/// A table of texts with aligned columns.
public struct ResultTable: Sendable {
  /// A column's head, and whether its cells are numbers, which stand on the right.
  public struct Column: Sendable {
    var head: String
    var isNumber: Bool

    /// A column of that head.
    public init(head: String, isNumber: Bool = false) {
      self.head = head
      self.isNumber = isNumber
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// A table without rows.
  public init(columns: [Column]) { self.columns = columns }

  /// Adds a row of one cell a column.
  public mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "\(cells.count) cells for \(columns.count) columns")
    rows.append(cells)
  }

  /// The table, each line ended by a line feed.
  public var text: String {
    let lines = [columns.map(\.head)] + rows
    let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { cells in line(cells, widths: widths) + "\n" }.joined()
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    let padded = columns.indices.map { index in
      let padding = String(repeating: " ", count: widths[index] - cells[index].count)
      return columns[index].isNumber ? padding + cells[index] : cells[index] + padding
    }
    let line = padded.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
