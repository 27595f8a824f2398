/// A block that another thread queues for a loop that sleeps.
struct PerformWakeup: SharedScenario {
  let name = "perform-wakeup"
  let title = "a thread queues a block for a loop that sleeps and has 400 ms left, and wakes nobody"
  let rules = Rules(18, cf: [37])

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let delay = Loop.onOwnThread { loop in
      loop.keepAlive(Loop.defaultMode)
      let delay = Shared<Double?>(nil)
      onAnotherThread {
        pause(.milliseconds(100))
        let watch = Stopwatch()
        loop.perform(in: Loop.defaultMode) { delay.value = watch.milliseconds }
      }
      loop.run(in: Loop.defaultMode, for: .milliseconds(500))
      return delay.value
    }
    notes.note("delay_ms", delay.value ?? .infinity)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let delay = try facts.number("delay_ms")
    guard delay.isFinite else { return Finding("it did not run", isRight: false) }
    return Finding("it ran after \(milliseconds(delay))", isRight: delay < 200)
  }
}
