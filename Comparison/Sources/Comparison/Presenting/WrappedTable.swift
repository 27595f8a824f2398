/// A table whose cells go on over several lines, so that it fits a width.
struct WrappedTable: Sendable {
  /// A text, and the colour of it where colours are wanted.
  struct Cell: Sendable {
    var text: String
    var color: Color?
    init(_ text: String, color: Color? = nil) {
      self.text = text
      self.color = color
    }
  }

  enum Color: Int, Sendable {
    case red = 31
    case green = 32
  }

  private let heads: [String]
  private let width: Int
  /// The columns' shares of the width; nil is as wide as its longest word or line of up to ``narrow`` needs.
  private let shares: [Int?]
  private var rows: [[Cell]] = []

  private static let gap = 2
  private static let narrow = 10

  /// A table without rows.
  init(heads: [String], width: Int, shares: [Int?]) {
    precondition(heads.count == shares.count, "\(shares.count) shares for \(heads.count) columns")
    self.heads = heads
    self.width = width
    self.shares = shares
  }

  /// Adds a row of one cell a column.
  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == heads.count, "\(cells.count) cells for \(heads.count) columns")
    rows.append(cells)
  }

  /// The table, each line ended by a line feed, an empty line between rows.
  func text(isColored: Bool) -> String {
    let widths = columnWidths
    let lines = [heads.map { Cell($0) }] + rows
    return lines.map { lineOfCells($0, widths, isColored) }.joined(separator: "\n")
  }

  private var columnWidths: [Int] {
    let fixed = shares.indices.map { shares[$0] == nil ? ownWidth(of: $0) : 0 }
    let left = width - fixed.reduce(0, +) - Self.gap * (shares.count - 1)
    let sum = shares.compactMap { $0 }.reduce(0, +)
    return shares.indices.map { index in shares[index].map { max(8, left * $0 / sum) } ?? fixed[index] }
  }

  private func ownWidth(of column: Int) -> Int {
    let texts = [heads[column]] + rows.map { $0[column].text }
    let longestWord = texts.flatMap { $0.split(separator: " ") }.map(\.count).max() ?? 0
    let longestLine = texts.map(\.count).max() ?? 0
    return max(longestWord, min(longestLine, column == shares.count - 1 ? longestLine : Self.narrow))
  }

  private func lineOfCells(_ cells: [Cell], _ widths: [Int], _ isColored: Bool) -> String {
    let wrapped = cells.indices.map { Self.wrap(cells[$0].text, width: widths[$0]) }
    let height = wrapped.map(\.count).max() ?? 0
    return (0..<height).map { line in
      var text = ""
      var missing = 0
      for index in cells.indices {
        let part = line < wrapped[index].count ? wrapped[index][line] : ""
        // Only before something is there need of spaces.
        if !part.isEmpty {
          text += String(repeating: " ", count: missing)
          missing = 0
          text += isColored ? Self.colored(part, cells[index].color) : part
        }
        missing += widths[index] - part.count + Self.gap
      }
      return text + "\n"
    }.joined()
  }

  private static func colored(_ text: String, _ color: Color?) -> String {
    color.map { "\u{1B}[\($0.rawValue)m\(text)\u{1B}[0m" } ?? text
  }

  /// Lines of at most so many characters, broken at spaces, but not between a number and what it counts; a longer word
  /// is broken where it has to be.
  static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words(of: text) {
      var rest = word[...]
      if !line.isEmpty, line.count + 1 + rest.count > width {
        lines.append(line)
        line = ""
      }
      while rest.count > width {
        lines.append(String(rest.prefix(width)))
        rest = rest.dropFirst(width)
      }
      line += (line.isEmpty ? "" : " ") + rest
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static func words(of text: String) -> [String] {
    var words: [String] = []
    for word in text.split(separator: " ") {
      if let last = words.last, last.allSatisfy(\.isNumber) {
        words[words.count - 1] = last + " " + word
      } else {
        words.append(String(word))
      }
    }
    return words
  }
}
