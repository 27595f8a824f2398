import Mainspring
import MainspringTesting
import Testing

@Suite struct NestingTests {
  enum Callout: String, CaseIterable {
    case block, source, timer, port, descriptor, entry, beforeTimers, beforeSources, beforeWaiting,
      afterWaiting, exit
  }

  /// Arranges for `work` to be called once from a callout of that kind.
  private func arrange(
    _ kind: Callout, _ virtual: VirtualRunLoop, _ work: @escaping @Sendable () -> Void
  ) throws {
    let loop = virtual.loop
    switch kind {
    case .block: loop.perform(in: .default, work)
    case .source:
      let source = RunLoop.Source { source in
        source.invalidate()
        work()
      }
      loop.add(source, to: .default)
      source.signal()
    case .timer: loop.add(RunLoop.Timer(after: .zero) { _ in work() }, to: .default)
    case .port:
      let port = RunLoop.Port<Int> { port, _ in
        port.invalidate()
        work()
      }
      loop.add(port, to: .default)
      port.send(1)
    case .descriptor:
      virtual.setReadiness(.read, of: 7)
      try loop.add(
        RunLoop.DescriptorSource(7) { source, _ in
          source.invalidate()
          work()
        }, to: .default)
    case .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit:
      let activities: [Callout: RunLoop.Activity] = [
        .entry: .entry, .beforeTimers: .beforeTimers, .beforeSources: .beforeSources,
        .beforeWaiting: .beforeWaiting, .afterWaiting: .afterWaiting, .exit: .exit,
      ]
      loop.add(RunLoop.Observer(activities[kind]!, repeats: false) { _, _ in work() }, to: .default)
    }
  }

  @Test(arguments: Callout.allCases)
  func `M13: a nested run in any mode from every callout, and the mode is put back`(kind: Callout) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let modes = Record<String?>()
    try arrange(kind, virtual) {
      modes.add(loop.currentMode?.name)
      let begin = virtual.now
      loop.perform(in: "inner") { modes.add(loop.currentMode?.name) }
      #expect(loop.run(in: "inner", for: .seconds(2), whenEmpty: .wait).reason == .timedOut)
      #expect(begin.duration(to: virtual.now) == .seconds(2), "its own deadline")
      modes.add(loop.currentMode?.name)
      loop.perform(in: .default) { modes.add(loop.currentMode?.name) }
      #expect(loop.run(in: .default, for: .zero, whenEmpty: .wait).reason == .timedOut)
      modes.add(loop.currentMode?.name)
    }
    #expect(loop.run(in: .default, for: .seconds(9), whenEmpty: .wait).reason == .timedOut)
    #expect(modes.all == ["default", "inner", "default", "default", "default"])
    #expect(loop.currentMode == nil)
  }

  @Test func `M13: after an inner run the outer one looks again before it goes on with a port's messages`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let port = RunLoop.Port<Int> { _, message in
      seen.add("\(message)")
      guard message == 1 else { return }
      loop.turn(in: "inner")
      loop.perform(in: .default) { seen.add("block") }
    }
    loop.add(port, to: .default)
    for message in 1...3 { port.send(message) }
    loop.run(in: .default, for: .seconds(1))
    #expect(seen.all == ["1", "block", "2", "3"])
    #expect(virtual.sleepCount == 1, "and does not sleep before")
  }

  @Test(arguments: Callout.allCases)
  func `M13: a wake that an inner run saw is handed on to the outer (CF 76)`(kind: Callout) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    try arrange(kind, virtual) {
      loop.wakeUp()
      loop.run(in: "inner", for: .milliseconds(1), whenEmpty: .wait)
      virtual.trace.clear()
    }
    // Ends the first sleep, for the callouts that come after one.
    virtual.at(.seconds(1)) { loop.wakeUp() }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    if kind == .exit { return }
    // The outer run began another pass before it slept again.
    let steps = virtual.trace.entries.filter { $0.nesting == 1 }.map(\.phase)
    let sleep = try #require(steps.firstIndex(of: "waiting"))
    #expect(steps[..<sleep].contains("beforeTimers"))
  }

  @Test func `M13: the outer limit holds although the inner run went past it`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    loop.perform(in: .default) { loop.run(in: "inner", for: .seconds(5), whenEmpty: .wait) }
    #expect(loop.run(in: .default, for: .seconds(3), whenEmpty: .wait).reason == .timedOut)
    #expect(begin.duration(to: virtual.now) == .seconds(5))
  }

  @Test func `M13: an inner run in the same mode gets the timers that the outer batch had not come to`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    for number in 1...3 {
      loop.add(
        RunLoop.Timer(after: .milliseconds(number)) { _ in
          seen.add("begin \(number)")
          if number == 1 { loop.run(in: .default, for: .zero) }
          seen.add("end \(number)")
        }, to: .default)
    }
    virtual.spend(.milliseconds(5))
    loop.run(in: .default)
    #expect(seen.all == ["begin 1", "begin 2", "end 2", "begin 3", "end 3", "end 1"])
  }

  @Test func `M13: an inner run in another mode leaves the outer batch to the outer run, which sleeps not`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let begin = virtual.now
    for number in 1...3 {
      loop.add(
        RunLoop.Timer(after: .milliseconds(number)) { _ in
          seen.add("timer \(number)")
          if number == 1 { loop.run(in: "inner", for: .zero, whenEmpty: .wait) }
        }, to: .default)
    }
    for number: Int32 in [7, 8] {
      virtual.setReadiness(.read, of: number)
      try loop.add(
        RunLoop.DescriptorSource(number, trigger: .edge, order: Int(number)) { _, _ in
          seen.add("descriptor \(number)")
          if number == 7 { loop.run(in: "inner", for: .zero, whenEmpty: .wait) }
        }, to: .default)
    }
    virtual.spend(.milliseconds(5))
    loop.run(in: .default, for: .seconds(1))
    #expect(seen.all == ["timer 1", "timer 2", "timer 3", "descriptor 7", "descriptor 8"])
    #expect(virtual.sleepCount == 1)
    #expect(virtual.now == begin.advanced(by: .milliseconds(1005)))
  }

  @Test func `M13: an inner run performs the sources that the outer round had not come to`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let sources = (1...3).map { number in
      RunLoop.Source(order: number) { _ in
        seen.add("begin \(number)")
        if number == 1 { loop.run(in: .default, for: .zero) }
        seen.add("end \(number)")
      }
    }
    for source in sources.reversed() {
      loop.add(source, to: .default)
      source.signal()
    }
    loop.run(in: .default, for: .seconds(1))
    #expect(seen.all == ["begin 1", "begin 2", "end 2", "begin 3", "end 3", "end 1"])
  }

  @Test func `M13: an inner run in another mode leaves the outer round of sources to the outer run`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let sources = (1...3).map { number in
      RunLoop.Source(order: number) { _ in
        seen.add(number)
        if number == 1 { loop.run(in: "inner", for: .zero, whenEmpty: .wait) }
      }
    }
    for source in sources {
      loop.add(source, to: .default)
      source.signal()
    }
    virtual.at(.seconds(1)) { seen.add(0) }
    loop.run(in: .default, for: .seconds(2))
    #expect(seen.all == [1, 2, 3, 0])
  }

  @Test func `M13: an inner run may perform the same source anew (CF 45)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let depth = Record<String>()
    let source = RunLoop.Source { source in
      depth.add("begin")
      if depth.count == 1 {
        source.signal()
        loop.run(in: .default, for: .zero)
      }
      depth.add("end")
    }
    loop.add(source, to: .default)
    source.signal()
    loop.turn()
    #expect(depth.all == ["begin", "begin", "end", "end"])
  }

  @Test func `M13: an inner run delivers what the port had left, in order, also what comes meanwhile`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let port = RunLoop.Port<Int> { port, message in
      seen.add("begin \(message)")
      if message == 1 {
        virtual.at(.milliseconds(1)) { port.send(4) }
        loop.run(in: .default, for: .milliseconds(2))
      }
      seen.add("end \(message)")
    }
    loop.add(port, to: .default)
    for message in 1...3 { port.send(message) }
    loop.run(in: .default, for: .seconds(1))
    #expect(
      seen.all == ["begin 1", "begin 2", "end 2", "begin 3", "end 3", "begin 4", "end 4", "end 1"])
  }

  @Test func `M13: an inner run in a port's last message hears of what comes meanwhile`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let port = RunLoop.Port<Int> { port, message in
      seen.add("begin \(message)")
      if message == 1 {
        virtual.at(.milliseconds(1)) { port.send(2) }
        loop.run(in: .default, for: .milliseconds(2))
      }
      seen.add("end \(message)")
    }
    loop.add(port, to: .default)
    port.send(1)
    loop.run(in: .default, for: .seconds(1))
    #expect(seen.all == ["begin 1", "begin 2", "end 2", "end 1"])
  }

  @Test
  func `M13: a wake that a nested run in a change took while the loop slept is the outer run's as well`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    virtual.at(.seconds(1)) {
      loop.update { $0.turn(in: "inner") }
      loop.wakeUp()
    }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    #expect(virtual.trace.entries.count { $0.phase == "beforeTimers" && $0.nesting == 1 } == 2)
  }
}
