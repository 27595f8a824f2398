import Mainspring
import MainspringTesting
import Testing

@Suite struct StopTests {
  @Test func `M7: a stop of the innermost run ends that run and no other`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let results = Record<RunLoop.RunResult.Reason>()
    loop.perform(in: .default) {
      loop.perform(in: .default) { loop.stop(.innermost) }
      results.add(loop.run(in: .default, for: .seconds(1), whenEmpty: .wait).reason)
    }
    results.add(loop.run(in: .default, for: .seconds(2), whenEmpty: .wait).reason)
    #expect(results.all == [.stopped, .timedOut])
  }

  @Test func `M7: a stop of all ends every run on the stack, and none that comes later`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let results = Record<RunLoop.RunResult.Reason>()
    loop.perform(in: .default) {
      loop.perform(in: .default) {
        loop.perform(in: .default) { loop.stop(.all) }
        results.add(loop.run(in: .default, whenEmpty: .wait).reason)
        // Still unwinding: a run that begins now ends at once.
        results.add(loop.run(in: .default, whenEmpty: .wait).reason)
      }
      results.add(loop.run(in: .default, whenEmpty: .wait).reason)
    }
    results.add(loop.run(in: .default, whenEmpty: .wait).reason)
    #expect(results.all == [.stopped, .stopped, .stopped, .stopped])
    #expect(loop.run(in: .default, for: .seconds(1), whenEmpty: .wait).reason == .timedOut)
  }

  @Test func `M7: a stop that met the outer run before a nested one began is kept for the outer (CF 14)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let results = Record<RunLoop.RunResult.Reason>()
    loop.perform(in: .default) {
      loop.stop()
      results.add(loop.run(in: "inner", for: .seconds(1), whenEmpty: .wait).reason)
    }
    results.add(loop.run(in: .default, for: .seconds(9), whenEmpty: .wait).reason)
    #expect(results.all == [.timedOut, .stopped])
  }

  @Test(arguments: [RunLoop.StopScope.innermost, .all])
  func `M7: one stop is kept with no run on and ends the next outermost run`(scope: RunLoop.StopScope) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(loop.stop(scope) == false)
    loop.perform(in: .default) {}
    #expect(loop.run(in: .default).reason == .stopped)
    #expect(virtual.trace.phases == [], "it ended before its first pass")
    #expect(loop.run(in: .default).reason == .finished)
  }

  @Test func `M7: a kept stop ends the next run even if its mode is empty`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.stop()
    #expect(loop.run(in: "empty").reason == .stopped)
    #expect(loop.run(in: "empty").reason == .finished)
  }

  @Test func `M7: stops with no run on do not add up`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.stop()
    loop.stop()
    loop.stop(.all)
    loop.stop()
    #expect(loop.run(in: .default).reason == .stopped)
    #expect(loop.run(in: .default).reason == .finished)
  }

  @Test func `M7: of the stops that are kept the one that reaches further stays`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.stop(.all)
    loop.stop(.innermost)
    #expect(loop.runThroughStops(whenEmpty: .wait).reason == .stopped)
  }

  @Test func `M7: stop tells whether it met a run`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let met = Record<Bool>()
    loop.perform(in: .default) { met.add(loop.stop()) }
    loop.run(in: .default)
    #expect(met.all == [true])
    #expect(loop.stop() == false)
  }

  @Test func `M7: a kept stop can be taken back, once`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(loop.cancelPendingStop() == false)
    loop.stop()
    #expect(loop.cancelPendingStop())
    #expect(loop.cancelPendingStop() == false)
    #expect(loop.run(in: .default).reason == .finished)
  }

  @Test func `M7: a stop that met a run cannot be taken back`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.perform(in: .default) {
      loop.stop()
      loop.cancelPendingStop()
    }
    #expect(loop.run(in: .default, for: .seconds(1), whenEmpty: .wait).reason == .stopped)
  }

  @Test func `M7: a stop ends a sleep`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    virtual.at(.milliseconds(3)) { #expect(loop.stop()) }
    #expect(loop.run(in: .default, for: .seconds(1), whenEmpty: .wait).reason == .stopped)
    #expect(begin.duration(to: virtual.now) == .milliseconds(3))
  }

  @Test func `M7: a stop by an entry observer ends the run before any pass, with exit (CF 15)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.add(RunLoop.Observer(.entry) { _, _ in loop.stop() }, to: .default)
    loop.perform(in: .default) {}
    #expect(loop.run(in: .default).reason == .stopped)
    #expect(virtual.trace.phases == ["entry", "entry", "exit"])
  }

  @Test func `M7: a stop in exit is not lost: it met the run (CF 72)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let met = Record<Bool>()
    loop.add(RunLoop.Observer(.exit, repeats: false) { _, _ in met.add(loop.stop()) }, to: .default)
    #expect(loop.run(in: .default, for: .milliseconds(1), whenEmpty: .wait).reason == .stopped)
    #expect(met.all == [true])
    #expect(loop.run(in: .default).reason == .finished)
  }

  @Test func `M7: a stop in exit of a run that goes on after stops is counted`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.add(RunLoop.Observer(.exit, repeats: false) { _, _ in loop.stop() }, to: .default)
    let result = loop.run(until: loop.now.advanced(by: .milliseconds(1)), whenEmpty: .wait)
    #expect(result == RunLoop.RunResult(.timedOut, handledSource: false, stopsPassedOver: 1))
  }
}
