import Mainspring
import MainspringTesting
import Testing

@Suite struct RunWaysTests {
  @Test func `M11: run goes on in the default mode until it is finished`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let fires = Record<Int>()
    loop.add(
      RunLoop.Timer(every: .seconds(1)) { timer in
        fires.add(1)
        if fires.count == 3 { timer.invalidate() }
      }, to: .default)
    #expect(loop.run().reason == .finished)
    #expect(fires.count == 3)
  }

  @Test func `M11: run goes on in the default mode until it is stopped`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.add(RunLoop.Timer(every: .seconds(1)) { _ in loop.stop() }, to: .default)
    #expect(loop.run().reason == .stopped)
  }

  @Test func `M11: run through stops counts the stops of the innermost run, and ends with one of all`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    for second in 1...3 { virtual.at(.seconds(second)) { loop.stop(.innermost) } }
    virtual.at(.seconds(4)) { loop.stop(.all) }
    #expect(
      loop.runThroughStops(whenEmpty: .wait)
        == RunLoop.RunResult(.stopped, handledSource: false, stopsPassedOver: 3))
  }

  @Test func `M11: run through stops ends when its mode is empty`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.perform(in: "mine") { loop.stop() }
    #expect(
      loop.runThroughStops(in: "mine")
        == RunLoop.RunResult(.finished, handledSource: false, stopsPassedOver: 1))
  }

  @Test func `M11: a stop that was kept is counted, too`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.stop()
    let result = loop.run(until: virtual.now.advanced(by: .seconds(1)), whenEmpty: .wait)
    #expect(result == RunLoop.RunResult(.timedOut, handledSource: false, stopsPassedOver: 1))
  }

  @Test func `M11: run until a date goes on after stops until the date`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let date = virtual.now.advanced(by: .seconds(9))
    for second in 1...2 { virtual.at(.seconds(second)) { loop.stop(.innermost) } }
    #expect(
      loop.run(until: date, whenEmpty: .wait)
        == RunLoop.RunResult(.timedOut, handledSource: false, stopsPassedOver: 2))
    #expect(virtual.now == date)
  }

  @Test func `M11: run until a date ends before it with a stop of all`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    virtual.at(.seconds(1)) { loop.stop(.all) }
    #expect(loop.run(until: virtual.now.advanced(by: .seconds(9)), whenEmpty: .wait).reason == .stopped)
  }

  @Test func `M11: run until a date that has passed is one busy pass`() {
    let virtual = VirtualRunLoop()
    #expect(virtual.loop.run(until: RunLoop.Instant(nanoseconds: 1), whenEmpty: .wait).reason == .timedOut)
    #expect(virtual.passCount == 1)
  }

  @Test func `M11: run until the distant future has no limit`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    virtual.at(.seconds(100)) { loop.stop(.all) }
    #expect(loop.run(until: .distantFuture, whenEmpty: .wait).reason == .stopped)
  }

  @Test func `M11: run until a given source was performed, and not until another was`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let given = RunLoop.Source { _ in }
    let other = RunLoop.Source { _ in }
    for source in [given, other] { loop.add(source, to: .default) }
    virtual.at(.seconds(1)) {
      other.signal()
      loop.wakeUp()
    }
    virtual.at(.seconds(2)) {
      given.signal()
      loop.wakeUp()
    }
    let begin = virtual.now
    #expect(loop.run(untilHandled: given) == RunLoop.RunResult(.signalled, handledSource: true))
    #expect(begin.duration(to: virtual.now) == .seconds(2))
  }

  @Test func `M11: run until a given port delivered`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let port = RunLoop.Port<Int> { _, _ in }
    loop.add(port, to: .default)
    virtual.at(.seconds(1)) { port.send(1) }
    #expect(loop.run(untilHandled: port, for: .seconds(9)).reason == .signalled)
  }

  @Test func `M11: run until a given source ends when that can never be, since the source is invalid`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let given = RunLoop.Source { _ in }
    for source in [given, RunLoop.Source { _ in }] { loop.add(source, to: .default) }
    let begin = virtual.now
    virtual.at(.seconds(1)) { given.invalidate() }
    #expect(loop.run(untilHandled: given, for: .seconds(9)).reason == .signalled)
    #expect(begin.duration(to: virtual.now) == .seconds(1))
  }

  @Test func `M11: run until a given source gives up at its limit`() {
    let virtual = VirtualRunLoop()
    let source = RunLoop.Source { _ in }
    virtual.loop.add(source, to: .default)
    #expect(virtual.loop.run(untilHandled: source, for: .seconds(1)).reason == .timedOut)
  }

  @Test func `M11: run until a token is signalled, with nothing in the mode`() {
    let virtual = VirtualRunLoop()
    let token = RunLoop.Token()
    let begin = virtual.now
    virtual.at(.seconds(2)) { token.signal() }
    #expect(virtual.loop.run(until: token, for: .seconds(9)).reason == .signalled)
    #expect(begin.duration(to: virtual.now) == .seconds(2))
  }

  @Test func `M11: run until a token that was signalled before returns without a sleep`() {
    let virtual = VirtualRunLoop()
    let token = RunLoop.Token()
    token.signal()
    #expect(virtual.loop.run(until: token).reason == .signalled)
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M11: a stop wins over the token, which then stays signalled`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let token = RunLoop.Token()
    loop.perform(in: .default) {
      token.signal()
      loop.stop()
    }
    #expect(loop.run(until: token).reason == .stopped)
    #expect(loop.run(until: token).reason == .signalled)
  }
}
