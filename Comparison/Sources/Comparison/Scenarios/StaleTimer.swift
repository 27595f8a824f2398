/// A timer that is gone before its date.
struct StaleTimer: SharedScenario {
  let name = "stale-timer"
  let title = "a timer due in 100 ms is invalidated, then a run of 300 ms: how often the loop wakes"
  let rules = Rules(39)

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let loop = Loop.current
    let mode = Loop.mode("of a timer that is gone")
    loop.addSource(to: mode) {}
    let wakes = Shared(0)
    loop.addObserver(of: .afterWaiting, to: mode) { wakes.change { $0 += 1 } }
    loop.addTimer(after: .milliseconds(100), to: mode) {}.invalidate()
    loop.run(in: mode, for: .milliseconds(300))
    notes.note("wakes", wakes.value)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let wakes = Int(try facts.number("wakes"))
    return Finding(
      wakes == 1 ? "once, at the limit" : "\(wakes) times, \(wakes - 1) for nothing", isRight: wakes == 1)
  }
}
