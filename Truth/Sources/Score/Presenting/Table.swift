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

/// Numbers as the tables have them; what is not known is a hyphen.
enum Figure {
  static func percent(_ share: Double?) -> String { share.map { decimal($0 * 100, digits: 1) } ?? "-" }
  static func decimal(_ value: Double?) -> String { value.map { decimal($0, digits: 1) } ?? "-" }

  static func decimal(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + "\(scaled)" }
    let fraction = String(scaled % Int(scale))
    return sign + "\(scaled / Int(scale))." + String(repeating: "0", count: digits - fraction.count)
      + fraction
  }

  static func interval(_ proportion: Proportion) -> String {
    guard let interval = proportion.interval else { return "-" }
    return "\(decimal(interval.lowerBound * 100, digits: 1))–\(decimal(interval.upperBound * 100, digits: 1))"
  }
}
