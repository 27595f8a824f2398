import CommandLineOptions
import TruthLog

/// Says on standard error how far the injection is: one line a cell.
final class Progress {
  private let cells: Int
  private let injections: Int
  private let start = Clock.now()
  private var cell = 0
  private var done = 0

  init(cells: Int, injections: Int) {
    self.cells = cells
    self.injections = injections
  }

  func begin(_ name: String, count: Int) {
    cell += 1
    let seconds = (Clock.now() - start) / 1_000_000_000
    StandardStream.error.write(
      "truth: \(seconds) s, \(done) of \(injections), cell \(cell) of \(cells): \(name) (\(count))\n")
  }

  func step() { done += 1 }

  func end() {
    StandardStream.error.write("truth: \(done) injections in \((Clock.now() - start) / 1_000_000_000) s\n")
  }
}
