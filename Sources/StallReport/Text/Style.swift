extension Report {
  /// How a report is put on a screen or into a file. Whether the screen has colours is for the caller to know.
  public struct Style: Sendable, Equatable {
    /// Whether ANSI escape sequences are written.
    public var isColored: Bool
    /// The columns that a line should not exceed.
    public var width: Int

    /// A style for lines of at most `width` columns; fewer than 60 are treated as 60.
    public init(isColored: Bool, width: Int = 100) {
      self.isColored = isColored
      self.width = max(60, width)
    }

    /// No colours: for files and pipes.
    public static let plain = Self(isColored: false)
    /// Colours: for a terminal that has them.
    public static let colored = Self(isColored: true)

    /// What a stretch of text is, which decides its colour.
    enum Role: String {
      case headline = "1"
      case culprit = "1;31"
      case location = "36"
      case label = "2"
    }

    func paint(_ text: String, _ role: Role) -> String {
      isColored && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
  }
}
