/// The help of a program or command, laid out for eyes: at most 80 columns.
public struct HelpText: Sendable {
  /// A titled list of terms and what they mean.
  public struct Section: Sendable {
    /// The title, without a colon.
    public var title: String
    /// The terms, each with its explanation.
    public var rows: [(term: String, text: String)]

    /// A section of these rows.
    public init(_ title: String, rows: [(term: String, text: String)]) {
      self.title = title
      self.rows = rows
    }

    /// The section of a command's options.
    public init(options: [Option]) {
      self.init("Options", rows: options.map { ($0.spelling, $0.help) })
    }
  }

  /// How the command is written, without the word "Usage".
  public var usage: String
  /// What it does, as a paragraph.
  public var summary: String
  /// What it takes.
  public var sections: [Section]

  /// A help of these parts.
  public init(usage: String, summary: String, sections: [Section]) {
    self.usage = usage
    self.summary = summary
    self.sections = sections
  }

  /// The columns that no line exceeds, unless a single word does.
  public static let width = 80

  /// The whole text; its last line ends with a line feed too.
  public var text: String {
    var lines = Self.wrapped("Usage: " + usage, indent: 7)
    lines += [""] + Self.wrapped(summary, indent: 0)
    for section in sections where !section.rows.isEmpty {
      lines += ["", section.title + ":"] + section.rows.flatMap { row($0, in: section) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func row(_ row: (term: String, text: String), in section: Section) -> [String] {
    // A long term has its explanation below, lest all others be squeezed.
    let column = 4 + min(24, section.rows.map(\.term.count).max() ?? 0)
    let term = "  " + row.term
    guard term.count + 2 <= column else {
      return [term] + Self.wrapped(Self.spaces(column) + row.text, indent: column)
    }
    return Self.wrapped(term + Self.spaces(column - term.count) + row.text, indent: column)
  }

  /// Breaks one line at spaces; the lines after the first are indented. Spaces at its start and the run of
  /// spaces behind a term are kept.
  private static func wrapped(_ line: String, indent: Int) -> [String] {
    var lines: [String] = []
    var rest = line
    while rest.count > width {
      let limit = rest.index(rest.startIndex, offsetBy: width + 1)
      let body = rest.index(rest.startIndex, offsetBy: indent)
      guard let space = rest[body..<limit].lastIndex(of: " ") ?? rest[limit...].firstIndex(of: " ") else {
        break
      }
      lines.append(String(rest[..<space]))
      rest = spaces(indent) + rest[space...].drop { $0 == " " }
    }
    return lines + [rest]
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
