/// How far some work is, as text for the end of a stream: one line drawn over and over on a terminal,
/// one line an item elsewhere.
///
/// It writes nothing and asks no clock: both are the caller's.
struct ProgressBar: Sendable {
  /// How it looks.
  enum Look: Sendable, Equatable {
    /// One line, drawn over, on a terminal of so many columns.
    case bar(columns: Int, isColored: Bool)
    /// Plain lines, for files and pipes.
    case lines
  }

  /// Between two drawings there is at least so much time: twenty a second look smooth.
  static let interval = Duration.milliseconds(50)

  private let total: Int
  private let look: Look
  private var drawn: (done: Int, time: Duration)?

  /// The bar of `total` items, none of them done.
  init(total: Int, look: Look) {
    self.total = total
    self.look = look
  }

  /// The text to write when `done` items are done and `label` is the last or present one.
  ///
  /// - Parameter now: The time since any fixed moment.
  /// - Returns: The empty text if nothing needs to be drawn yet.
  mutating func text(done: Int, label: String, at now: Duration) -> String {
    precondition((0...total).contains(done), "\(done) of \(total) items cannot be done")
    switch look {
    case .lines:
      guard done > drawn?.done ?? 0 else { return "" }
      drawn = (done, now)
      return "\(counter(done))  \(label)\n"
    case .bar(let columns, let isColored):
      let isFinal = done == total && drawn?.done != total
      if let drawn, now - drawn.time < Self.interval, !isFinal { return "" }
      drawn = (done, now)
      return "\r" + line(done: done, label: label, columns: columns, isColored: isColored) + Self.eraseToEnd
    }
  }

  /// The text that takes the bar away, so that something else can be written in its place.
  var erasure: String { look == .lines || drawn == nil ? "" : "\r" + Self.eraseToEnd }

  private static let eraseToEnd = "\u{1B}[K"
  private static let barWidth = 24

  private func line(done: Int, label: String, columns: Int, isColored: Bool) -> String {
    let counter = counter(done)
    // The last column stays free: a terminal may break the line there.
    let width = max(0, min(Self.barWidth, columns - counter.count - 5))
    let filled = total == 0 ? width : done * width / total
    let full = String(repeating: "█", count: filled)
    let empty = String(repeating: "░", count: width - filled)
    let room = max(0, columns - width - counter.count - 5)
    let text = "  \(counter)  \(label.suffix(room))"
    guard isColored else { return full + empty + text }
    return "\u{1B}[32m\(full)\u{1B}[2m\(empty)\u{1B}[0m\(text)"
  }

  private func counter(_ done: Int) -> String {
    let width = String(total).count
    let number = String(done)
    return String(repeating: " ", count: width - number.count) + "\(number)/\(total)"
  }
}
