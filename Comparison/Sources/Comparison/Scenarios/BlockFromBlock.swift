/// A block that is queued by a block, in a loop that has nothing else to do.
struct BlockFromBlock: SharedScenario {
  let name = "block-from-block"
  let title = "a block queues a block, and the loop has nothing else to do for 500 ms"
  let rules = Rules(20, cf: [39])

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let delay = Loop.onOwnThread { loop in
      loop.keepAlive(Loop.defaultMode)
      let delay = Shared<Double?>(nil)
      loop.perform(in: Loop.defaultMode) {
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
    return Finding("it ran after \(milliseconds(delay))", isRight: delay < 250)
  }
}
