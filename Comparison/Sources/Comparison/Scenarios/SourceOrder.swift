/// A round of sources whose last one is not performed, and a block that the first one queued.
struct SourceOrder: SharedScenario {
  let name = "source0-order"
  let title = "a source ends the signalled one behind it and queues a block; the run has 500 ms"
  let rules = Rules(24, cf: [47])

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let delay = Loop.onOwnThread { loop in
      loop.keepAlive(Loop.defaultMode)
      let delay = Shared<Double?>(nil)
      let second = loop.addSource(order: 2, to: Loop.defaultMode) {}
      let first = loop.addSource(order: 1, to: Loop.defaultMode) {
        second.invalidate()
        let watch = Stopwatch()
        loop.perform(in: Loop.defaultMode) { delay.value = watch.milliseconds }
      }
      first.signal()
      second.signal()
      loop.run(in: Loop.defaultMode, for: .milliseconds(500))
      return delay.value
    }
    notes.note("delay_ms", delay.value ?? .infinity)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let delay = try facts.number("delay_ms")
    guard delay.isFinite else { return Finding("the block did not run", isRight: false) }
    return Finding("the block ran after \(milliseconds(delay))", isRight: delay < 250)
  }
}
