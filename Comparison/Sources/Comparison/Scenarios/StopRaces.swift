import Foundation

/// Stops that meet something else: the beginning of the run, a source that was handled, a limit that passed.
struct StopRaces: SharedScenario {
  let name = "stop-races"
  let title = "stop a loop just before it runs, in a source that ends the run, in a timer past the limit"
  let rules = Rules(6, 7, cf: [28, 71])

  private static let trials = 50

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let lost = (0..<Self.trials).count { _ in isLostBeforeRun(Loop.self) }
    notes.note("trials", Self.trials)
    notes.note("lost_before_run", lost)
    notes.note("lost_with_source", isLostWithSource(Loop.self))
    notes.note("lost_with_limit", isLostWithLimit(Loop.self))
  }

  /// A thread is started, says which loop it has, and is stopped at once.
  private func isLostBeforeRun<Loop: ComparedLoop>(_: Loop.Type) -> Bool {
    let loop = Shared<Loop?>(nil)
    let ending = Shared<Ending?>(nil)
    let (isReady, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    onAnotherThread {
      loop.value = .current
      loop.value?.keepAlive(Loop.defaultMode)
      isReady.signal()
      ending.value = loop.value?.run(in: Loop.defaultMode, for: .milliseconds(20))
      isDone.signal()
    }
    isReady.wait()
    loop.value?.stop()
    isDone.wait()
    return ending.value != .stopped
  }

  /// Whether neither this run nor the next one says that it was stopped.
  private func isLostWithSource<Loop: ComparedLoop>(_: Loop.Type) -> Bool {
    Loop.onOwnThread { loop in
      loop.keepAlive(Loop.defaultMode)
      loop.addSource(to: Loop.defaultMode) { loop.stop() }.signal()
      let first = loop.run(in: Loop.defaultMode, for: .milliseconds(300), returnAfterSourceHandled: true)
      return ![first, loop.run(in: Loop.defaultMode, for: .milliseconds(20))].contains(.stopped)
    }.value
  }

  private func isLostWithLimit<Loop: ComparedLoop>(_: Loop.Type) -> Bool {
    Loop.onOwnThread { loop in
      loop.keepAlive(Loop.defaultMode)
      loop.addTimer(after: .zero, to: Loop.defaultMode) {
        pause(.milliseconds(40))
        loop.stop()
      }
      let first = loop.run(in: Loop.defaultMode, for: .milliseconds(20))
      return ![first, loop.run(in: Loop.defaultMode, for: .milliseconds(20))].contains(.stopped)
    }.value
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let (lost, trials) = (Int(try facts.number("lost_before_run")), Int(try facts.number("trials")))
    var places: [String] = []
    if lost > 0 { places.append("before the run (\(lost) of \(trials))") }
    if try facts.isTrue("lost_with_source") { places.append("in the source") }
    if try facts.isTrue("lost_with_limit") { places.append("past the limit") }
    guard !places.isEmpty else { return Finding("no stop was lost (0 of \(trials + 2))", isRight: true) }
    return Finding("lost: " + places.joined(separator: ", "), isRight: false)
  }
}
