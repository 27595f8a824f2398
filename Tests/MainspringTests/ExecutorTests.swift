import Mainspring
import MainspringTesting
import Testing

/// What is not a matter of threads, on virtual time.
@Suite struct ExecutorTests {
  @Test func `M58: jobs run with the blocks of the common modes, in the order of queueing`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    loop.perform(in: .default) { seen.add(1) }
    loop.task { seen.add(2) }
    loop.perform(in: .common) { seen.add(3) }
    Task(executorPreference: loop.taskExecutor, priority: .background) { @concurrent in seen.add(4) }
    Task(executorPreference: loop.taskExecutor, priority: .high) { @concurrent in seen.add(5) }
    #expect(loop.run().reason == .finished)
    #expect(seen.all == [1, 2, 3, 4, 5], "first in, first out, whatever the priority")
    #expect(
      virtual.trace.phases.filter { !$0.hasSuffix("Waiting") && !$0.hasPrefix("before") } == [
        "entry", "block", "job", "block", "job", "job", "exit",
      ])
  }

  @Test func `M58: a job of the common modes runs in each of them, and in no other mode`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String?>()
    for mode: RunLoop.Mode in ["private", .tracking] {
      loop.task { seen.add(loop.currentMode?.name) }
      loop.turn(in: mode)
    }
    #expect(seen.all == ["tracking", "tracking"])
    loop.addCommonMode("private")
    loop.task { seen.add(loop.currentMode?.name) }
    loop.turn(in: "private")
    #expect(seen.all.last == "private")
  }

  @Test func `M58: the executor of one mode runs its jobs in runs of that mode alone`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String?>()
    let teller = LoopActor(loop.executor(in: "private"))
    loop.task(in: "private") { seen.add("task in \(loop.currentMode!)") }
    loop.task { await teller.call { seen.add("actor in \(loop.currentMode!)") } }
    #expect(loop.run(in: .default).reason == .finished)
    #expect(seen.isEmpty)
    #expect(loop.run(in: "private").reason == .finished)
    #expect(seen.all == ["task in private", "actor in private"])
    #expect(loop.executor(in: "private") === teller.executor, "one for each mode")
    #expect(loop.executor(in: .common) === loop.executor)
  }

  @Test
  func `M58: of a task that never rests one job a drain is run, and timers and descriptors have their turn`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let (rounds, ready) = (Record<Int>(), Record<Int>())
    let storm = loop.task {
      while !Task.isCancelled {
        rounds.add(0)
        virtual.spend(.microseconds(100))
        await Task.yield()
      }
    }
    virtual.setReadiness(.read, of: 5)
    let source = RunLoop.DescriptorSource(5) { source, _ in
      ready.add(rounds.count)
      source.invalidate()
    }
    try loop.add(source, to: .default)
    loop.add(RunLoop.Timer(after: .milliseconds(5)) { _ in storm.cancel() }, to: .default)
    #expect(loop.run().reason == .finished)
    #expect((50...53).contains(rounds.count), "stopped by the timer, to the tenth of a millisecond")
    #expect(try #require(ready.all.first) < 20)
    #expect(virtual.sleepCount == 0, "what was left made the passes busy")
  }

  @Test func `M58: so many jobs are run in a drain and no more, and what is left makes the pass busy`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    for index in 0..<(2 * Limit.blocksPerDrain + 1) { loop.task { seen.add(index) } }
    loop.turn()
    #expect(seen.count == 2 * Limit.blocksPerDrain, "two drains")
    #expect(loop.contents(of: .default).jobs == 1)
    #expect(loop.run().reason == .finished)
    #expect(seen.all == Array(0..<(2 * Limit.blocksPerDrain + 1)))
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M58: a pass with jobs left is busy, and has neither waiting activity`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.perform(in: .default) { loop.task { loop.task {} } }
    virtual.at(.milliseconds(1)) { loop.stop() }
    loop.run(in: .default, whenEmpty: .wait)
    #expect(
      virtual.trace.phases == [
        "entry", "beforeTimers", "beforeSources", "block", "job",
        "beforeTimers", "beforeSources", "job", "beforeWaiting", "waiting", "afterWaiting", "exit",
      ])
  }

  @Test func `M58: actors of one loop call each other without passing through its queue`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let (first, second) = (LoopActor(loop.executor), LoopActor(loop.executor))
    loop.task {
      for _ in 0..<10 {
        await first.say("one")
        await second.say("two")
      }
    }
    #expect(loop.run().reason == .finished)
    // Two isolation changes an iteration, and hardly any queueing.
    #expect(first.assumeIsolated { $0.words.count } == 10)
    #expect(second.assumeIsolated { $0.words.count } == 10)
  }

  @Test func `M58: a callout of the loop is in the isolation of its actors`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let teller = LoopActor(loop.executor)
    loop.add(
      RunLoop.Timer(after: .seconds(1)) { _ in teller.assumeIsolated { $0.say("timer") } }, to: .default)
    loop.perform(in: .default) {
      teller.preconditionIsolated()
      teller.assumeIsolated { $0.say("block") }
    }
    loop.run()
    #expect(teller.assumeIsolated { $0.words } == ["block", "timer"])
    #expect(teller.executor.isIsolatingCurrentContext() == true)
    let elsewhere = Box<Bool?>()
    TestThread { elsewhere.value = teller.executor.isIsolatingCurrentContext() }.join()
    #expect(elsewhere.value == false)
  }

  @Test func `M58: a mode with a job is not empty, and contents and descriptions count it`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(loop.contents(of: .default).isEmpty)
    loop.task {}
    #expect(loop.contents(of: .default).jobs == 1)
    #expect(!loop.contents(of: .default).isEmpty)
    #expect(loop.debugDescription.contains("common modes, 1 jobs queued"))
    #expect(loop.run().reason == .finished)
    #expect(loop.contents(of: .default).isEmpty)
  }

  @Test func `M58: what jobs take is counted by phase as theirs`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.measureLag(byPhase: true)
    loop.task { virtual.spend(.milliseconds(5)) }
    loop.run()
    #expect(try #require(loop.lag(of: .job)).total == .milliseconds(5))
    #expect(try #require(loop.lag(of: .block)).count == 0)
  }
}
