import Mainspring

extension Operations {
  static let waking = [
    Operation("wake", "wakeUp of a loop that is awake, from another thread") {
      let loop = RunLoop.current
      return { times in BareThread.run { for _ in 0..<times { loop.wakeUp() } } }
    },
    Operation(
      "post-asleep", "a closure for a thread whose loop sleeps, its call, and the next sleep", times: 100,
      by: Measure.withoutInstructions
    ) {
      let thread = try RunLoopThread()
      return { times in postToSleeper(thread.loop, times) }
    },
    Operation(
      "post-asleep-descriptor", "the same where the loop waits for a descriptor, too", times: 100,
      by: Measure.withoutInstructions
    ) {
      let (thread, descriptor) = (try RunLoopThread(), EventDescriptor())
      try thread.performAndWait {
        try thread.loop.add(RunLoop.DescriptorSource(descriptor.number) { _, _ in }, to: .default)
      }
      return { times in postToSleeper(thread.loop, times) }
    },
    Operation(
      "signal-asleep", "a source of a loop that sleeps, signalled and woken, and the next sleep", times: 100,
      by: Measure.withoutInstructions
    ) {
      let thread = try RunLoopThread()
      let source = RunLoop.Source { _ in Callouts.note() }
      thread.loop.add(source, to: .default)
      return { times in
        Callouts.expect(times) {
          let before = Callouts.count
          for done in 0..<times {
            awaitSleep(of: thread.loop)
            source.signal()
            thread.loop.wakeUp()
            Callouts.wait(for: before + done + 1)
          }
          awaitSleep(of: thread.loop)
        }
      }
    },
  ]

  private static func postToSleeper(_ loop: RunLoop, _ times: Int) {
    Callouts.expect(times) {
      let before = Callouts.count
      for done in 0..<times {
        awaitSleep(of: loop)
        loop.perform(in: .default) { Callouts.note() }
        Callouts.wait(for: before + done + 1)
      }
      awaitSleep(of: loop)
    }
  }
}
