/// A repeating timer that has missed very many fires.
struct TimerTinyInterval: SharedScenario {
  let name = "timer-tiny-interval"
  let title = "a timer of 1 ns, and a thread that is away for 200 ms: from its first fire to the second"
  let rules = Rules(33, cf: [61])
  let limit = Duration.seconds(4)

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let loop = Loop.current
    let first = Shared<Stopwatch?>(nil)
    loop.addTimer(after: .zero, every: .nanoseconds(1), to: Loop.defaultMode) { timer in
      if let first = first.value {
        notes.note("gap_ms", first.milliseconds)
        timer.invalidate()
      } else {
        first.value = Stopwatch()
      }
    }
    pause(.milliseconds(200))
    notes.begin("counting missed fires")
    // Until the timer is gone, for which the run of CFRunLoop looks at the end of a pass only.
    while loop.run(in: Loop.defaultMode, for: .milliseconds(10)) != .finished {}
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let gap = try facts.number("gap_ms")
    return Finding(milliseconds(gap), isRight: gap < 50)
  }
}
