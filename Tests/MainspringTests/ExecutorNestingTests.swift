import Mainspring
import MainspringTesting
import Testing

@Suite struct ExecutorNestingTests {
  @Test(arguments: [RunLoop.Mode.default, .tracking])
  func `M13: a nested run leaves jobs alone, does not stay awake for them, and the outer one runs them`(
    mode: RunLoop.Mode
  ) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.add(
      RunLoop.Timer(after: .zero) { _ in
        loop.task { seen.add("job at \(virtual.trace.entries.last!.nesting)") }
        loop.perform(in: mode) { seen.add("block") }
        #expect(loop.run(in: mode, for: .seconds(1), whenEmpty: .wait).reason == .timedOut)
        seen.add("nested run over")
        #expect(loop.run(in: mode).reason == .finished, "nothing there for it")
      }, to: .default)
    loop.run()
    #expect(seen.all == ["block", "nested run over", "job at 1"])
    #expect(virtual.sleepCount == 1)
  }

  @Test func `M13: code of an actor that awaits nothing is not interrupted by other code of the actor`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let teller = LoopActor(loop.executor)
    loop.task {
      await teller.call {
        loop.task { await teller.say("other") }
        for _ in 0..<3 { loop.turn() }
        teller.assumeIsolated { $0.say("one") }
      }
    }
    loop.run()
    #expect(teller.assumeIsolated { $0.words } == ["one", "other"])
  }

  @Test func `M13: a nested run that is asked to runs jobs, and one in that does not`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.perform(in: .default) {
      loop.task {
        seen.add("served")
        loop.task { seen.add("later") }
        loop.turn()
        seen.add("innermost over")
      }
      loop.servingJobs { _ = loop.turn() }
      seen.add("nested over")
      loop.turn()
      seen.add("another over")
    }
    loop.run()
    #expect(seen.all == ["served", "innermost over", "later", "nested over", "another over"])
  }

  @Test func `M13: a job may run the loop, and what the outer drain had before it comes after`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.task {
      seen.add("begins")
      loop.turn()
      seen.add("ends")
    }
    loop.task { seen.add("second job") }
    loop.perform(in: .default) { seen.add("block") }
    loop.run()
    #expect(seen.all == ["begins", "block", "ends", "second job"])
  }
}
