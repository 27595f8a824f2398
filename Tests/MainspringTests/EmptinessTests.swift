import Mainspring
import MainspringTesting
import Testing

@Suite struct EmptinessTests {
  @Test func `M8: an empty mode returns finished with no observer called (CF 12)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<RunLoop.Activity>()
    loop.add(RunLoop.Observer(.all) { _, activity in seen.add(activity) }, to: .default)
    #expect(loop.run(in: .default) == RunLoop.RunResult(.finished, handledSource: false))
    #expect(seen.isEmpty)
    #expect(virtual.trace.phases == [])
  }

  @Test func `M8: observers do not keep a mode going`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.add(RunLoop.Observer(.all) { _, _ in }, to: .common)
    loop.perform(in: .default) {}
    #expect(loop.run(in: .default).reason == .finished)
    #expect(virtual.sleepCount == 0)
  }

  enum Kind: CaseIterable { case source, port, descriptor, timer, farTimer, block, commonBlock, common }

  @Test(arguments: Kind.allCases)
  func `M8: each kind of work keeps a mode going`(kind: Kind) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    switch kind {
    case .source: loop.add(RunLoop.Source { _ in }, to: .default)
    case .port: loop.add(RunLoop.Port<Int> { _, _ in }, to: .default)
    case .descriptor: try loop.add(RunLoop.DescriptorSource(7) { _, _ in }, to: .default)
    case .timer: loop.add(RunLoop.Timer(every: .seconds(1)) { _ in }, to: .default)
    case .farTimer: loop.add(RunLoop.Timer(after: .seconds(1_000_000_000)) { _ in }, to: .default)
    case .block: loop.perform(in: .default) {}
    case .commonBlock: loop.perform(in: .common) {}
    case .common: loop.add(RunLoop.Source { _ in }, to: .common)
    }
    let isBlock = kind == .block || kind == .commonBlock
    #expect(loop.run(in: .default, for: .seconds(3)).reason == (isBlock ? .finished : .timedOut))
    #expect(virtual.trace.phases.first == "entry")
  }

  @Test func `M8: what is in another mode does not count`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.add(RunLoop.Source { _ in }, to: "other")
    loop.add(RunLoop.Timer(after: .seconds(1)) { _ in }, to: "other")
    loop.perform(in: "other") {}
    // The common modes' items do not count in a mode that is none of them.
    loop.add(RunLoop.Source { _ in }, to: .common)
    #expect(loop.run(in: "mine").reason == .finished)
  }

  @Test func `M8: a timer that has no date does not count`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let timer = RunLoop.Timer(rearmable: ()) { _ in }
    loop.add(timer, to: .default)
    #expect(loop.run(in: .default).reason == .finished)
    timer.setFireDate(virtual.now)
    #expect(loop.run(in: .default, for: .zero).reason == .timedOut)
    #expect(loop.run(in: .default).reason == .finished)
  }

  @Test func `M8: a timer that is firing does not count`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let inner = Box<RunLoop.RunResult>()
    loop.add(
      RunLoop.Timer(every: .seconds(1)) { timer in
        inner.value = loop.run(in: .default)
        timer.invalidate()
      }, to: .default)
    #expect(loop.run(in: .default).reason == .finished)
    #expect(inner.value?.reason == .finished)
  }

  @Test func `M8: an empty loop waits for a deadline when told so`() {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    #expect(virtual.loop.run(in: .default, for: .seconds(5), whenEmpty: .wait).reason == .timedOut)
    #expect(begin.duration(to: virtual.now) == .seconds(5))
    #expect(virtual.sleepCount == 1)
  }

  @Test func `M8: an empty loop that is kept alive serves what is added meanwhile`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let fired = Record<RunLoop.Instant>()
    let begin = virtual.now
    virtual.at(.seconds(1)) {
      loop.add(
        RunLoop.Timer(at: begin.advanced(by: .seconds(2))) { _ in
          fired.add(virtual.now)
          loop.stop()
        }, to: .default)
    }
    #expect(loop.run(in: .default, whenEmpty: .wait).reason == .stopped)
    #expect(fired.all == [begin.advanced(by: .seconds(2))])
  }

  @Test func `M9: emptiness is judged at the end of a pass`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    let done = Record<Int>()
    loop.perform(in: .default) {
      loop.remove(source, from: .default)
      loop.perform(in: .default) { done.add(1) }
    }
    #expect(loop.run(in: .default).reason == .finished)
    #expect(done.count == 1)
    #expect(virtual.passCount == 1)
  }

  @Test func `M9: running the only block does not leave the run asleep (CF 30)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.perform(in: .default) {}
    #expect(loop.run(in: .default, for: .seconds(1)).reason == .finished)
    #expect(virtual.sleepCount == 0)
  }

  enum Emptying: CaseIterable { case remove, invalidate, removeCommon, disarm, invalidateTimer }

  @Test(arguments: Emptying.allCases)
  func `M9: emptying a mode from another thread ends a sleeper's run (CF 30)`(how: Emptying) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    let timer = RunLoop.Timer(after: .seconds(100)) { _ in }
    switch how {
    case .remove, .invalidate: loop.add(source, to: .default)
    case .removeCommon: loop.add(source, to: .common)
    case .disarm, .invalidateTimer: loop.add(timer, to: .default)
    }
    let begin = virtual.now
    virtual.at(.seconds(1)) {
      switch how {
      case .remove: loop.remove(source, from: .default)
      case .invalidate: source.invalidate()
      case .removeCommon: loop.remove(source, from: .common)
      case .disarm: timer.setFireDate(nil)
      case .invalidateTimer: timer.invalidate()
      }
    }
    #expect(loop.run(in: .default, for: .seconds(50)).reason == .finished)
    #expect(begin.duration(to: virtual.now) == .seconds(1))
  }

  @Test func `M9: update makes several changes one, so that a replaced item never ends a run`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let old = RunLoop.Source { _ in }
    let new = RunLoop.Source { _ in }
    loop.add(old, to: .default)
    virtual.at(.seconds(1)) {
      loop.update { loop in
        // Each at once, on the loop's thread.
        loop.remove(old, from: .default)
        #expect(!loop.contains(old, in: .default))
        loop.add(new, to: .default)
      }
    }
    #expect(loop.run(in: .default, for: .seconds(3)).reason == .timedOut)
    #expect(loop.contains(new, in: .default))
    #expect(!loop.contains(old, in: .default))
  }

  @Test func `M9: on the loop's thread update makes its changes at once`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.update { $0.add(source, to: .default) }
    #expect(loop.contains(source, in: .default))
  }
}
