import Mainspring
import MainspringTesting
import Testing

@Suite struct BusyPassTests {
  @Test func `M2: a pass in which a source was performed does not sleep`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    source.signal()
    loop.turnsUntilSleep(virtual)
    #expect(
      virtual.trace.phases == [
        "entry", "beforeTimers", "beforeSources", "source",
        "beforeTimers", "beforeSources", "beforeWaiting", "waiting", "afterWaiting", "exit",
      ])
  }

  @Test func `M2: a pass with blocks left does not sleep`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.perform(in: .default) { loop.perform(in: .default) {} }
    loop.turnsUntilSleep(virtual)
    #expect(
      virtual.trace.phases == [
        "entry", "beforeTimers", "beforeSources", "block", "block",
        "beforeTimers", "beforeSources", "beforeWaiting", "waiting", "afterWaiting", "exit",
      ])
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(Int64.min)])
  func `M2: with a limit of zero there is one pass and neither waiting activity`(limit: Duration) {
    let virtual = VirtualRunLoop()
    let result = virtual.loop.run(in: .default, for: limit, whenEmpty: .wait)
    #expect(result.reason == .timedOut)
    #expect(virtual.trace.phases == ["entry", "beforeTimers", "beforeSources", "exit"])
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M2: block, source and timer are all served in one busy pass, in this order (CF 20)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    loop.add(RunLoop.Timer(after: .zero) { _ in }, to: .default)
    source.signal()
    loop.perform(in: .default) {}
    loop.turn()
    #expect(
      virtual.trace.phases == ["entry", "beforeTimers", "beforeSources", "block", "source", "timer", "exit"])
  }

  @Test
  func `M2: a source that signals itself cannot starve the waiting activities: every 64th pass has them`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let passes = Record<Int>()
    let source = RunLoop.Source { source in
      passes.add(0)
      if passes.count == 200 { loop.stop() } else { source.signal() }
    }
    loop.add(source, to: .default)
    let waits = Record<String>()
    loop.add(
      RunLoop.Observer([.beforeWaiting, .afterWaiting]) { _, activity in
        waits.add("\(activity) in pass \(passes.count)")
      }, to: .default)
    source.signal()
    loop.run(in: .default)
    #expect(
      waits.all
        == [64, 128, 192].flatMap { ["beforeWaiting in pass \($0)", "afterWaiting in pass \($0)"] })
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M2: the first busy pass after 8 ms of them has the waiting activities`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let passes = Record<Int>()
    let source = RunLoop.Source { source in
      passes.add(0)
      virtual.spend(.milliseconds(3))
      if passes.count == 8 { loop.stop() } else { source.signal() }
    }
    loop.add(source, to: .default)
    let waits = Record<Int>()
    loop.add(RunLoop.Observer(.beforeWaiting) { _, _ in waits.add(passes.count) }, to: .default)
    source.signal()
    loop.run(in: .default)
    // Busy since the first look; 3 ms a pass: the fourth look is the first that is 8 ms later.
    #expect(waits.all == [4, 8])
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M2: a busy pass serves due timers`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let passes = Record<Int>()
    let fires = Record<Int>()
    let source = RunLoop.Source { source in
      passes.add(0)
      virtual.spend(.microseconds(100))
      if passes.count == 40 { loop.stop() } else { source.signal() }
    }
    loop.add(source, to: .default)
    loop.add(RunLoop.Timer(every: .microseconds(500)) { _ in fires.add(passes.count) }, to: .default)
    source.signal()
    loop.run(in: .default)
    #expect(fires.all == [5, 10, 15, 20, 25, 30, 35, 40])
  }

  @Test func `M2: a busy pass asks for ready descriptors at least every millisecond`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let passes = Record<Int>()
    let seen = Record<Int>()
    let source = RunLoop.Source { source in
      passes.add(0)
      virtual.spend(.microseconds(250))
      if passes.count == 2 { virtual.setReadiness(.read, of: 7) }
      if passes.count == 12 { loop.stop() } else { source.signal() }
    }
    loop.add(source, to: .default)
    try loop.add(
      RunLoop.DescriptorSource(7) { _, _ in
        seen.add(passes.count)
        virtual.setReadiness([], of: 7)
      }, to: .default)
    source.signal()
    loop.run(in: .default)
    let pass = try #require(seen.all.first)
    #expect(pass <= 2 + 4)
  }

  @Test func `M2: a busy pass asks for ready descriptors also where passes take no time`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let passes = Record<Int>()
    let seen = Record<Int>()
    let source = RunLoop.Source { source in
      passes.add(0)
      // After the first look, which comes at once.
      if passes.count == 5 { virtual.setReadiness(.read, of: 7) }
      if passes.count == 100 { loop.stop() } else { source.signal() }
    }
    loop.add(source, to: .default)
    try loop.add(
      RunLoop.DescriptorSource(7) { _, _ in
        seen.add(passes.count)
        virtual.setReadiness([], of: 7)
      }, to: .default)
    source.signal()
    loop.run(in: .default)
    let pass = try #require(seen.all.first)
    #expect(pass <= 5 + 16)
  }

  @Test func `M2: ports of a busy pass are delivered in order of their numbers`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    // Listed in an order that is neither the numbers' nor its reverse.
    let ports = [2, 1, 3].map { number in
      RunLoop.Port<Int>(order: number) { _, _ in seen.add(number) }
    }
    for port in ports { loop.add(port, to: .default) }
    let source = RunLoop.Source { _ in for port in ports { port.send(0) } }
    loop.add(source, to: .default)
    source.signal()
    loop.turnsUntilSleep(virtual)
    #expect(seen.all == [1, 2, 3])
  }
}

extension RunLoop {
  /// Runs in the default mode and stops at the first sleep.
  fileprivate func turnsUntilSleep(_ virtual: VirtualRunLoop) {
    virtual.at(.milliseconds(1)) { self.stop() }
    run(in: .default, whenEmpty: .wait)
  }
}
