/// A table whose first column is of names and whose others are of numbers.
struct Table {
  private let heads: [String]
  private var rows: [[String]] = []

  init(_ heads: [String]) { self.heads = heads }

  mutating func add(_ row: [String]) {
    precondition(row.count == heads.count, "\(row.count) cells for \(heads.count) columns")
    rows.append(row)
  }

  /// Each line ended by a line feed, none by spaces.
  var text: String {
    let widths = heads.indices.map { column in ([heads] + rows).map { $0[column].count }.max() ?? 0 }
    return ([heads] + rows).map { row in
      var line = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 0 ? row[column] + padding : padding + row[column]
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
