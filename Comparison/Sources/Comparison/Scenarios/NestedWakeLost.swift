/// A wake that comes while a nested run, in another mode, stands between the outer run and its sleep.
struct NestedWakeLost: SharedScenario {
  let name = "nested-wake-lost"
  let title = "a block and a wake, sent while a beforeWaiting observer runs another mode for 200 ms"
  let rules = Rules(4, 13, cf: [76])

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let delay = Shared<Double?>(nil)
    let run = Loop.onOwnThread { loop in
      let other = Loop.mode("other")
      loop.keepAlive(Loop.defaultMode)
      loop.keepAlive(other)
      loop.addObserver(
        of: .beforeWaiting, to: Loop.defaultMode,
        once: {
          onAnotherThread {
            pause(.milliseconds(50))
            let watch = Stopwatch()
            loop.perform(in: Loop.defaultMode) {
              delay.value = watch.milliseconds
              loop.stop()
            }
            loop.wakeUp()
          }
          loop.run(in: other, for: .milliseconds(200))
        })
      loop.run(in: Loop.defaultMode)
    }
    // A stop that came to the rescue wakes the loop, too.
    notes.note("ran", !run.wasRescued && delay.value != nil)
    notes.note("delay_ms", delay.value ?? 0)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    guard try facts.isTrue("ran") else { return Finding("the block did not run in 1 s", isRight: false) }
    return Finding("the block ran after \(milliseconds(try facts.number("delay_ms")))", isRight: true)
  }
}
