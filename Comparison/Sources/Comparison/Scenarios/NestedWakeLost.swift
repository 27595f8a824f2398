/// A wake that comes while a nested run, in another mode, stands between the outer run and its sleep.
struct NestedWakeLost: SharedScenario {
  let name = "nested-wake-lost"
  let title = "a block and a wake, sent while a beforeWaiting observer runs another mode for 300 ms"
  let rules = Rules(4, 13, cf: [76])
  let limit = Duration.seconds(20)

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    // On a busy machine the thread that sends may come too late to meet the nested run; then it is done again.
    for _ in 0..<5 {
      let trial = Trial()
      // A stop that came to the rescue wakes the loop, too.
      let wasRescued = Loop.onOwnThread(patience: .milliseconds(1500)) { trial.run(on: $0) }.wasRescued
      guard trial.metNestedRun.value else { continue }
      notes.note("ran", !wasRescued && trial.delay.value != nil)
      notes.note("delay_ms", trial.delay.value ?? 0)
      return
    }
  }

  private struct Trial: Sendable {
    let isNestedRunOn = Shared(false)
    let metNestedRun = Shared(false)
    let delay = Shared<Double?>(nil)

    func run<Loop: ComparedLoop>(on loop: Loop) {
      let other = Loop.mode("other")
      loop.keepAlive(Loop.defaultMode)
      loop.keepAlive(other)
      loop.addObserver(
        of: .beforeWaiting, to: Loop.defaultMode,
        once: {
          isNestedRunOn.value = true
          onAnotherThread { send(to: loop) }
          loop.run(in: other, for: .milliseconds(300))
          isNestedRunOn.value = false
        })
      loop.run(in: Loop.defaultMode)
    }

    private func send<Loop: ComparedLoop>(to loop: Loop) {
      pause(.milliseconds(50))
      let watch = Stopwatch()
      loop.perform(in: Loop.defaultMode) {
        delay.value = watch.milliseconds
        loop.stop()
      }
      loop.wakeUp()
      metNestedRun.value = isNestedRunOn.value
    }
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    guard try facts.isTrue("ran") else { return Finding("the block did not run in 1.5 s", isRight: false) }
    return Finding("the block ran after \(milliseconds(try facts.number("delay_ms")))", isRight: true)
  }
}
