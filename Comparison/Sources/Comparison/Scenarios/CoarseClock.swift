/// A machine whose clocks say that they count in milliseconds.
struct CoarseClock: SharedScenario {
  let name = "coarse-clock"
  let title = "a clock that says it has a resolution of 1 ms: a run of 100 ms with a timer at 50 ms"
  let rules = Rules(10)
  let preloaded: PreloadedLibrary? = .coarseClock

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let fired = Shared(false)
    let run = Loop.onOwnThread { loop in
      loop.keepAlive(Loop.defaultMode)
      loop.addTimer(after: .milliseconds(50), to: Loop.defaultMode) { fired.value = true }
      let watch = Stopwatch()
      loop.run(in: Loop.defaultMode, for: .milliseconds(100))
      return watch.milliseconds
    }
    notes.note("returned", !run.wasRescued)
    notes.note("run_ms", run.value)
    notes.note("fired", fired.value)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let returned = try facts.isTrue("returned")
    let fired = try facts.isTrue("fired")
    let end =
      returned ? "ended after \(milliseconds(try facts.number("run_ms")))" : "had not ended after 1 s"
    return Finding("the run \(end), the timer \(fired ? "fired" : "never fired")", isRight: returned && fired)
  }
}
