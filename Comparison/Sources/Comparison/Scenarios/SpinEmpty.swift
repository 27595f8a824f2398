import Foundation

import class Mainspring.RunLoop

/// A thread that waits on a loop which has nothing in it yet.
struct SpinEmpty: Scenario {
  let name = "spin-empty"
  let title = "wait 500 ms for work in a loop that has none: run(mode:before:) / run(whenEmpty: .wait)"
  let rules = Rules(8, cf: [12])

  func play(_ side: Side, _ notes: Notes) {
    let turns = Shared(0)
    let used = Shared(0.0)
    let isDone = DispatchSemaphore(value: 0)
    onAnotherThread {
      let watch = Stopwatch()
      let before = ProcessFigures.processorMilliseconds
      while watch.milliseconds < 500 {
        switch side {
        case .coreFoundation:
          let limit = Date(timeIntervalSinceNow: 0.5 - watch.milliseconds / 1000)
          _ = Foundation.RunLoop.current.run(mode: .default, before: limit)
        case .mainspring:
          let left = Duration.milliseconds(500) - watch.elapsed
          RunLoop.current.run(in: .default, for: left, whenEmpty: .wait)
        }
        turns.change { $0 += 1 }
      }
      used.value = ProcessFigures.processorMilliseconds - before
      isDone.signal()
    }
    isDone.wait()
    notes.note("turns", turns.value)
    notes.note("cpu_ms", used.value)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let turns = Int(try facts.number("turns"))
    let used = try facts.number("cpu_ms")
    return Finding(
      "\(turns) \(turns == 1 ? "run" : "runs"), \(milliseconds(used)) of processor time", isRight: used < 50)
  }
}
