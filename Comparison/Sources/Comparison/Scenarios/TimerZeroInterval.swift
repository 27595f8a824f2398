/// A repeating timer whose interval is shorter than anything that can be counted.
struct TimerZeroInterval: SharedScenario {
  let name = "timer-zero-interval"
  let title = "a repeating timer of a tenth of a nanosecond, for 50 ms"
  let rules = Rules(35)

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let fires = Shared(0)
    notes.begin("the timer fires")
    Loop.current.addTimer(after: .zero, every: .seconds(1e-10), to: Loop.defaultMode) { _ in
      fires.change { $0 += 1 }
    }
    Loop.current.run(in: Loop.defaultMode, for: .milliseconds(50))
    notes.note("fires", fires.value)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let fires = Int(try facts.number("fires"))
    return Finding(fires > 1 ? "it fired again and again" : "it fired \(fires) times", isRight: fires > 1)
  }
}
