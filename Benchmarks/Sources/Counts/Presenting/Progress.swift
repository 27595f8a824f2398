import CommandLineOptions

/// How far the counting is, on standard error: one line that is written over on a terminal, nothing elsewhere.
struct Progress {
  let isShown: Bool

  init(isShown: Bool) { self.isShown = isShown && StandardStream.error.canRedraw }

  func show(_ done: Int, of all: Int) {
    if isShown { StandardStream.error.write("\r\u{1B}[K\(done)/\(all)") }
  }

  /// Takes the line away, for something else to be written there.
  func end() {
    if isShown { StandardStream.error.write("\r\u{1B}[K") }
  }
}
