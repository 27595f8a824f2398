import Foundation

import class Mainspring.RunLoop

/// When a timer of an interval fires first.
struct TimerFirstFire: Scenario {
  let name = "timer-first-fire"
  let title = "a timer of 300 ms, made and then added by hand: its first fire"
  let rules = Rules(35, cf: [86])

  func play(_ side: Side, _ notes: Notes) {
    let watch = Stopwatch()
    let first = Shared<Double?>(nil)
    switch side {
    case .coreFoundation:
      let timer = Timer(timeInterval: 0.3, repeats: false) { _ in first.value = watch.milliseconds }
      Foundation.RunLoop.current.add(timer, forMode: .default)
      CoreFoundationLoop.current.run(in: CoreFoundationLoop.defaultMode, for: .milliseconds(500))
    case .mainspring:
      let timer = RunLoop.Timer(every: .milliseconds(300)) { timer in
        first.value = watch.milliseconds
        timer.invalidate()
      }
      RunLoop.current.add(timer, to: .default)
      MainspringLoop.current.run(in: MainspringLoop.defaultMode, for: .milliseconds(500))
    }
    notes.note("first_ms", first.value ?? .infinity)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let first = try facts.number("first_ms")
    guard first.isFinite else { return Finding("it did not fire", isRight: false) }
    return Finding("after \(milliseconds(first))", isRight: first >= 300)
  }
}
