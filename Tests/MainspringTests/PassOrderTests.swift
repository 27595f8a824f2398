import Mainspring
import MainspringTesting
import Testing

@Suite struct PassOrderTests {
  @Test func `M1: a pass that waits calls everybody in CFRunLoop's order`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in loop.perform(in: .default) {} }
    loop.add(source, to: .default)
    loop.add(RunLoop.Timer(after: .milliseconds(5)) { _ in loop.perform(in: .default) {} }, to: .default)
    loop.perform(in: .default) {}
    source.signal()
    let result = loop.run(in: .default, for: .milliseconds(5))
    #expect(result.reason == .timedOut)
    #expect(
      virtual.trace.phases == [
        "entry",
        "beforeTimers", "beforeSources", "block", "source", "block",
        "beforeTimers", "beforeSources", "beforeWaiting", "waiting", "afterWaiting", "timer", "block",
        "exit",
      ])
  }

  @Test func `M1: blocks are performed again only where a source was performed`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    // Queued by a block of the first drain: with no source it waits for the drain at the end of the pass.
    loop.perform(in: .default) { loop.perform(in: .default) {} }
    loop.turn()
    #expect(virtual.trace.phases == ["entry", "beforeTimers", "beforeSources", "block", "block", "exit"])

    virtual.trace.clear()
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    let port = RunLoop.Port<Int> { _, _ in }
    loop.add(port, to: .default)
    loop.perform(in: .default) {
      source.signal()
      port.send(1)
      loop.perform(in: .default) {}
    }
    loop.turn()
    #expect(
      virtual.trace.phases == [
        "entry", "beforeTimers", "beforeSources", "block", "source", "block", "port", "exit",
      ])
  }

  @Test func `M1: entry and exit come once a run, the other activities with each pass`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.add(RunLoop.Observer(.all) { _, activity in seen.add("\(activity)") }, to: .default)
    loop.add(RunLoop.Timer(every: .milliseconds(1)) { _ in }, to: .default)
    loop.run(in: .default, for: .milliseconds(2))
    let pass = ["beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting"]
    #expect(seen.all == ["entry"] + pass + pass + ["exit"])
  }

  @Test func `M1: a wake asks for one pass, however often it was asked for`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    virtual.at(.milliseconds(1)) {
      loop.wakeUp()
      loop.wakeUp()
      loop.wakeUp()
    }
    loop.run(in: .default, for: .milliseconds(2), whenEmpty: .wait)
    #expect(virtual.passCount == 2)
  }

  @Test func `M1: a wake before a run is answered by its first pass (CF 2)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.wakeUp()
    loop.run(in: .default, for: .milliseconds(2), whenEmpty: .wait)
    #expect(virtual.passCount == 1)
    #expect(virtual.sleepCount == 1)
  }

  @Test func `M5: the clock is not read where nothing needs it`() {
    CountingPoller.withLoop { loop, poller in
      let source = RunLoop.Source { source in
        if poller.clockReads < 1_000_000 { source.signal() }
      }
      loop.add(source, to: .default)
      let passes = Record<Int>()
      loop.add(
        RunLoop.Observer(.beforeTimers) { _, _ in
          passes.add(poller.clockReads)
          if passes.count == 10 { loop.stop() }
        }, to: .default)
      source.signal()
      loop.run(in: .default)
      #expect(passes.count == 10)
      #expect(Set(passes.all).count == 1, "read in a pass: \(passes.all)")
    }
  }

  @Test func `M5: a timer, a limit and a busy pass that owes activities have the clock read`() {
    CountingPoller.withLoop { loop, poller in
      var before = poller.clockReads
      loop.run(in: .default, for: .nanoseconds(1), whenEmpty: .wait)
      #expect(poller.clockReads > before)
      before = poller.clockReads
      loop.add(RunLoop.Timer(at: RunLoop.Instant(nanoseconds: 1)) { _ in }, to: .default)
      loop.run(in: .default)
      #expect(poller.clockReads > before)
    }
  }
}
