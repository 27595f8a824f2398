import Foundation

import class Mainspring.RunLoop

/// A port that keeps a thread's loop from being empty.
struct PortKeepAlive: Scenario {
  let name = "port-keepalive"
  let title = "a thread adds a Port to its loop, which has nothing else, and runs it for 200 ms"
  let rules = Rules(30, cf: [88])

  func play(_ side: Side, _ notes: Notes) {
    notes.begin("making the port")
    let isDone = DispatchSemaphore(value: 0)
    onAnotherThread {
      let watch: Stopwatch
      switch side {
      case .coreFoundation:
        Foundation.RunLoop.current.add(Port(), forMode: .default)
        watch = Stopwatch()
        _ = Foundation.RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.2))
      case .mainspring:
        let port = RunLoop.Port<Int> { _, _ in }
        RunLoop.current.add(port, to: .default)
        watch = Stopwatch()
        RunLoop.current.run(in: .default, for: .milliseconds(200))
      }
      notes.note("run_ms", watch.milliseconds)
      isDone.signal()
    }
    isDone.wait()
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let time = try facts.number("run_ms")
    return Finding("ran for \(milliseconds(time))", isRight: time >= 200)
  }
}
