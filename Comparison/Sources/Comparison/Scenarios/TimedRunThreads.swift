/// What a limit costs that is not reached.
struct TimedRunThreads: SharedScenario {
  let name = "timed-run-threads"
  let title = "1,000 runs with a limit of 10 s that a source ends at once: threads, processor time a run"
  let rules = Rules(10)

  private static let runs = 1_000

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let loop = Loop.current
    let source = loop.addSource(to: Loop.defaultMode) {}
    loop.run(in: Loop.defaultMode, for: .zero)
    let before = ProcessFigures.threads
    let cost = ProcessFigures.processorMicroseconds(perOneOf: Self.runs) {
      for _ in 0..<Self.runs {
        source.signal()
        loop.run(in: Loop.defaultMode, for: .seconds(10), returnAfterSourceHandled: true)
      }
    }
    notes.note("run_us", cost)
    notes.note("threads", ProcessFigures.threads - before)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let threads = Int(try facts.number("threads"))
    let cost = try facts.number("run_us")
    return Finding("\(threads) threads, \(microseconds(cost)) a run", isRight: threads <= 0, cost: cost)
  }
}
