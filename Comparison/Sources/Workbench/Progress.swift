import CommandLineOptions

/// How far a measurement is, on standard error: one line that is written over on a terminal, a line each elsewhere.
public struct Progress {
  let total: Int
  private var hasLine = false

  /// Of so many steps none is done.
  public init(total: Int) { self.total = total }

  /// Says what is done next, behind so many steps that are done.
  public mutating func show(_ done: Int, _ step: String) {
    let text = "\(done + 1)/\(total)  \(step)"
    if StandardStream.error.canRedraw {
      StandardStream.error.write("\r\u{1B}[K" + text)
      hasLine = true
    } else {
      StandardStream.error.writeLine(text)
    }
  }

  /// Takes the line away, for something else to be written there.
  public mutating func end() {
    if hasLine { StandardStream.error.write("\r\u{1B}[K") }
    hasLine = false
  }
}
