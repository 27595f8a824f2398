import Foundation

import class Mainspring.RunLoop

/// The plainest way to run a loop, and the plainest way to end that.
struct StopRun: Scenario {
  let name = "stop-run"
  let title = "run(), and a stop from another thread after 50 ms"
  let rules = Rules(11, cf: [83])

  func play(_ side: Side, _ notes: Notes) {
    let isDone = DispatchSemaphore(value: 0)
    switch side {
    case .coreFoundation: play(CoreFoundationLoop.self, isDone) { Foundation.RunLoop.current.run() }
    case .mainspring: play(MainspringLoop.self, isDone) { RunLoop.current.run() }
    }
    notes.note("returned", isDone.wait(timeout: .now() + 1) == .success)
  }

  private func play<Loop: ComparedLoop>(
    _: Loop.Type, _ isDone: DispatchSemaphore, _ run: @escaping @Sendable () -> Void
  ) {
    onAnotherThread {
      let loop = Loop.current
      loop.keepAlive(Loop.defaultMode)
      onAnotherThread {
        pause(.milliseconds(50))
        loop.stop()
      }
      run()
      isDone.signal()
    }
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let returned = try facts.isTrue("returned")
    return Finding(returned ? "the run ended" : "still running after 1 s", isRight: returned)
  }
}
