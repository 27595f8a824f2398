import Foundation

import class Mainspring.RunLoop

/// Work on the main thread that waits, by a nested run, for work sent there after it.
struct MainQueueNested: Scenario {
  let name = "mainqueue-nested"
  let title = "work sent to the main thread (main.async / perform) runs the loop until what it sends has run"
  let rules = Rules(14, cf: [80])

  func play(_ side: Side, _ notes: Notes) {
    let second = Shared<Double?>(nil)
    switch side {
    case .coreFoundation:
      DispatchQueue.main.async {
        let watch = Stopwatch()
        DispatchQueue.main.async { second.value = watch.milliseconds }
        Self.wait(watch, for: second) {
          _ = Foundation.RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        }
        notes.note("ran", second.value != nil)
      }
      CoreFoundationLoop.main.run(in: CoreFoundationLoop.defaultMode, for: .milliseconds(400))
    case .mainspring:
      RunLoop.main.perform(in: .default) {
        let watch = Stopwatch()
        RunLoop.main.perform(in: .default) { second.value = watch.milliseconds }
        Self.wait(watch, for: second) { RunLoop.main.run(in: .default, for: .milliseconds(50)) }
        notes.note("ran", second.value != nil)
      }
      RunLoop.main.base.run(in: .default, for: .milliseconds(400))
    }
    notes.note("delay_ms", second.value ?? .infinity)
  }

  private static func wait(_ watch: Stopwatch, for second: Shared<Double?>, by run: () -> Void) {
    while second.value == nil, watch.milliseconds < 300 { run() }
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let ran = try facts.isTrue("ran")
    return Finding(
      ran ? "it ran after \(milliseconds(try facts.number("delay_ms")))" : "waited 300 ms in vain",
      isRight: ran)
  }
}
