import Mainspring

extension Operations {
  static let passes = [
    Operation("run", "a run in an empty mode, which is over at once") {
      let loop = RunLoop.current
      return { times in
        for _ in 0..<times { precondition(loop.run().reason == .finished, "the mode is not empty") }
      }
    },
    Operation("pass", "a run of one pass that finds nothing to do") {
      let loop = RunLoop.current
      loop.add(RunLoop.Source { _ in Callouts.note() }, to: .default)
      return { times in runPasses(of: loop, times) }
    },
    Operation("pass-descriptor", "the same where there is a descriptor to look at") {
      let (loop, descriptor) = (RunLoop.current, EventDescriptor())
      try loop.add(RunLoop.DescriptorSource(descriptor.number) { _, _ in Callouts.note() }, to: .default)
      return { times in runPasses(of: loop, times) }
    },
    Operation("pass-observers", "the same with ten observers of every activity, counted as called") {
      let loop = RunLoop.current
      loop.add(RunLoop.Source { _ in Callouts.note() }, to: .default)
      for _ in 0..<10 { loop.add(RunLoop.Observer(.all) { _, _ in Callouts.note() }, to: .default) }
      return { times in
        let before = Callouts.count
        runPasses(of: loop, times)
        let called = Callouts.count - before
        precondition(called > 0 && called % (10 * times) == 0, "\(called) calls in \(times) passes")
      }
    },
    Operation("nested-run", "a run of one pass in another mode, within a callout") {
      let loop = RunLoop.current
      let countdown = Countdown()
      let source = RunLoop.Source { source in
        Callouts.note()
        loop.run(in: .tracking, for: .zero)
        if countdown.isOver { loop.stop() } else { source.signal() }
      }
      loop.add(source, to: .default)
      loop.add(RunLoop.Source { _ in Callouts.note() }, to: .tracking)
      return { times in
        Callouts.expect(times) {
          countdown.begin(times)
          source.signal()
          loop.run()
        }
      }
    },
    Operation(
      "idle-second", "a second of a loop that holds a source, a timer and a descriptor", times: 1, warmUps: 0,
      by: Measure.withoutInstructions
    ) {
      let (loop, descriptor) = (RunLoop.current, EventDescriptor())
      loop.add(RunLoop.Source { _ in Callouts.note() }, to: .default)
      loop.add(RunLoop.Timer(after: .seconds(3600)) { _ in Callouts.note() }, to: .default)
      try loop.add(RunLoop.DescriptorSource(descriptor.number) { _, _ in Callouts.note() }, to: .default)
      // What a loop makes for its first wait is not to be counted as the first second's.
      loop.run(in: .default, for: .milliseconds(20))
      return { times in Callouts.expect(0) { loop.run(in: .default, for: .seconds(times)) } }
    },
    Operation("steady-pass", "a pass that is posted to, fires a timer and serves a descriptor") {
      let (loop, descriptor, countdown) = (RunLoop.current, EventDescriptor(), Countdown())
      let timer = RunLoop.Timer(rearmable: ()) { _ in Callouts.note() }
      loop.add(timer, to: .default)
      try loop.add(
        RunLoop.DescriptorSource(descriptor.number) { _, _ in
          Callouts.note()
          descriptor.read()
          if countdown.isOver {
            loop.stop()
            return
          }
          loop.perform(in: .default) { Callouts.note() }
          timer.setFireDate(after: .zero)
          descriptor.write()
        }, to: .default)
      return { times in
        Callouts.expect(times * 3) {
          countdown.begin(times)
          loop.perform(in: .default) { Callouts.note() }
          timer.setFireDate(after: .zero)
          descriptor.write()
          loop.run()
        }
      }
    },
  ]

  private static func runPasses(of loop: RunLoop, _ times: Int) {
    for _ in 0..<times {
      let reason = loop.run(in: .default, for: .zero).reason
      precondition(reason == .timedOut, "a run ended as \(reason)")
    }
  }
}
