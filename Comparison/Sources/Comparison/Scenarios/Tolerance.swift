/// Timers that may come a little later, so that one wake serves several.
struct Tolerance: SharedScenario {
  let name = "tolerance"
  let title = "50 timers within 200 ms, each with a tolerance of 300 ms: how often the loop wakes"
  let rules = Rules(36, cf: [69])

  private static let count = 50

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let loop = Loop.current
    let mode = Loop.mode("of tolerant timers")
    let (wakes, fires, early) = (Shared(0), Shared(0), Shared(0))
    loop.addObserver(of: .afterWaiting, to: mode) { wakes.change { $0 += 1 } }
    let watch = Stopwatch()
    for index in 0..<Self.count {
      let delay = 50 + 4 * Double(index)
      loop.addTimer(after: .milliseconds(delay), tolerance: .milliseconds(300), to: mode) {
        fires.change { $0 += 1 }
        if watch.milliseconds < delay { early.change { $0 += 1 } }
      }
    }
    loop.run(in: mode, for: .milliseconds(700))
    notes.note("wakes", wakes.value)
    notes.note("fires", fires.value)
    notes.note("early", early.value)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let wakes = Int(try facts.number("wakes"))
    let fires = Int(try facts.number("fires"))
    let early = Int(try facts.number("early"))
    return Finding(
      "\(wakes) \(wakes == 1 ? "wake" : "wakes") for \(fires) fires"
        + (early > 0 ? ", \(early) of them too early" : ""),
      isRight: wakes <= 3 && fires == Self.count && early == 0)
  }
}
