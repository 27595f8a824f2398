@testable import Mainspring
import MainspringTesting
import Synchronization
import Testing

/// Each run begins anew: the loop keeps the objects of its runs and uses them again.
@Suite struct RunAfterRunTests {
  /// A loop with a source in the default mode that somebody signals so long after a run began.
  private func signalLater(_ virtual: VirtualRunLoop, _ source: RunLoop.Source, after delay: Duration) {
    virtual.at(delay) {
      source.signal()
      virtual.loop.wakeUp()
    }
  }

  @Test func `M11: what a run waited for does not end the one after it`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    let token = RunLoop.Token()
    token.signal()
    for isToken in [true, false] {
      signalLater(virtual, source, after: .seconds(1))
      let reason =
        isToken ? loop.run(until: token).reason : loop.run(untilHandled: source, for: .seconds(9)).reason
      #expect(reason == .signalled)
      signalLater(virtual, source, after: .seconds(2))
      #expect(loop.run(in: .default, for: .seconds(5)).reason == .timedOut)
    }
  }

  @Test func `M11: a run until a source was performed waits for that anew, whatever an earlier one saw`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    let begin = virtual.now
    for second in 1...3 {
      signalLater(virtual, source, after: .seconds(1))
      #expect(loop.run(untilHandled: source, for: .seconds(9)).reason == .signalled)
      #expect(begin.duration(to: virtual.now) == .seconds(second))
    }
  }

  @Test func `M11, M38: what a run waited for goes with the run`() {
    let virtual = VirtualRunLoop()
    let flag = ReleaseFlag()
    func wait(_ held: ReleaseToken) {
      let source = RunLoop.Source { _ in held.touch() }
      virtual.loop.run(untilHandled: source, for: .seconds(1))
    }
    wait(ReleaseToken(flag))
    #expect(flag.isRaised)
  }

  @Test func `M6: a handled source is told of the run that handled it, and of no later one`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    source.signal()
    #expect(loop.turn().handledSource)
    #expect(!loop.turn().handledSource)
    #expect(loop.run(in: .default, for: .seconds(1), returnAfterSourceHandled: true).reason == .timedOut)
  }

  @Test func `M6: a result tells of its own run, though another one is on before it returns`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    source.signal()
    // A thread waits for callouts to return, and another one's change, which runs the loop, comes as the run ends.
    loop.departuresExpected.store(1, ordering: .relaxed)
    let later = RunLoop.Observer(.exit, repeats: false) { _, _ in
      loop.actingFromElsewhere { _ = loop.update { $0.turn(in: "inner") } }
    }
    loop.add(later, to: .default)
    #expect(loop.run(in: .default, for: .seconds(1)) == RunLoop.RunResult(.timedOut, handledSource: true))
    #expect(virtual.passCount == 3)
  }

  @Test func `M7, M11: stops that a run passed over are none of the next one's`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    for passedOver in [2, 0, 1] {
      let begin = virtual.now
      for second in 0..<passedOver { virtual.at(.seconds(second + 1)) { loop.stop(.innermost) } }
      let result = loop.run(until: begin.advanced(by: .seconds(9)), whenEmpty: .wait)
      #expect(result == RunLoop.RunResult(.timedOut, handledSource: false, stopsPassedOver: passedOver))
    }
  }

  @Test func `M2: busy passes are counted from the beginning of their run`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let performed = Record<Int>()
    let source = RunLoop.Source { source in
      performed.add(0)
      if performed.count.isMultiple(of: 40) { loop.stop() } else { source.signal() }
    }
    loop.add(source, to: .default)
    let waits = Record<Int>()
    loop.add(RunLoop.Observer(.beforeWaiting) { _, _ in waits.add(performed.count) }, to: .default)
    for _ in 0..<3 {
      source.signal()
      #expect(loop.run(in: .default).reason == .stopped)
    }
    #expect(performed.count == 120)
    #expect(waits.isEmpty, "none of the three was busy for 64 passes")
  }

  @Test func `M2: what a run leaves makes no run of another mode busy`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let port = RunLoop.Port<Int> { _, _ in loop.stop() }
    loop.add(port, to: .default)
    for message in 1...2 { port.send(message) }
    #expect(loop.run(in: .default).reason == .stopped)
    #expect(port.count == 1)
    virtual.trace.clear()
    #expect(loop.run(in: "other", for: .seconds(1), whenEmpty: .wait).reason == .timedOut)
    #expect(virtual.passCount == 1)
  }

  @Test func `M10: a limit is that of its run alone`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(loop.run(in: .default, for: .seconds(1), whenEmpty: .wait).reason == .timedOut)
    virtual.at(.seconds(60)) { loop.stop() }
    #expect(loop.run(in: .default, whenEmpty: .wait).reason == .stopped)
    #expect(loop.turn().reason == .timedOut)
    #expect(loop.run(in: .default).reason == .finished)
  }

  @Test(arguments: [Duration.seconds(5), nil])
  func `M10, M13: a nested run lasts as long as it was asked to, also beyond the outer one's limit`(
    limit: Duration?
  ) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let seen = Record<Duration>()
    loop.perform(in: .default) {
      virtual.at(.seconds(7)) { loop.stop(.innermost) }
      loop.run(in: "inner", for: limit, whenEmpty: .wait)
      seen.add(begin.duration(to: virtual.now))
    }
    #expect(loop.run(in: .default, for: .seconds(1), whenEmpty: .wait).reason == .timedOut)
    #expect(seen.all == [limit ?? .seconds(7)])
  }

  @Test func `M11: how a run goes on is that of its run alone`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.run(until: virtual.now.advanced(by: .seconds(1)), whenEmpty: .wait)
    #expect(loop.run(in: .default).reason == .finished)
    virtual.at(.seconds(1)) { loop.stop(.innermost) }
    #expect(loop.run(in: .default, for: .seconds(9), whenEmpty: .wait).reason == .stopped)
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    source.signal()
    #expect(loop.turn(returnAfterSourceHandled: true).reason == .handledSource)
    source.signal()
    #expect(loop.run(in: .default, for: .seconds(1)).reason == .timedOut)
  }
}
