import Foundation
import Glibc

import class Mainspring.RunLoop

/// A backlog of work on the main thread, and a run with a limit.
struct Starve: Scenario {
  let name = "starve"
  let title = "20,000 pieces of work wait for the main thread (main.async / perform): a run of 10 ms"
  let rules = Rules(2, 19, cf: [81])

  private static let pieces = 20_000

  func play(_ side: Side, _ notes: Notes) {
    let watch: Stopwatch
    let ticks = Shared(0)
    switch side {
    case .coreFoundation:
      tick(CoreFoundationLoop.main, ticks)
      for _ in 0..<Self.pieces { DispatchQueue.main.async { Self.work() } }
      watch = Stopwatch()
      CoreFoundationLoop.main.run(in: CoreFoundationLoop.defaultMode, for: .milliseconds(10))
    case .mainspring:
      let loop = MainspringLoop.current
      tick(loop, ticks)
      for _ in 0..<Self.pieces { RunLoop.main.perform(in: .default) { Self.work() } }
      watch = Stopwatch()
      loop.run(in: MainspringLoop.defaultMode, for: .milliseconds(10))
    }
    notes.note("run_ms", watch.milliseconds)
    notes.note("ticks", ticks.value)
  }

  private func tick<Loop: ComparedLoop>(_ loop: Loop, _ ticks: Shared<Int>) {
    loop.addTimer(after: .zero, every: .milliseconds(5), to: Loop.defaultMode) { _ in
      ticks.change { $0 += 1 }
    }
  }

  /// Some tens of microseconds.
  private static func work() { for _ in 0..<200 { _ = getppid() } }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let time = try facts.number("run_ms")
    return Finding("returned after \(milliseconds(time))", isRight: time < 100)
  }
}
