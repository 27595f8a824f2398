@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct SourceTests {
  @Test func `M23: a signal marks and does not wake (CF 43)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let performed = Record<RunLoop.Instant>()
    let source = RunLoop.Source { _ in performed.add(virtual.now) }
    loop.add(source, to: .default)
    virtual.at(.seconds(1)) {
      source.signal()
      #expect(source.isSignalled)
    }
    virtual.at(.seconds(2)) { loop.wakeUp() }
    loop.run(in: .default, for: .seconds(3))
    #expect(performed.all == [begin.advanced(by: .seconds(2))])
    #expect(!source.isSignalled)
  }

  @Test func `M23: several signals make one callout (CF 43)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let performed = Record<Int>()
    let source = RunLoop.Source { _ in performed.add(1) }
    loop.add(source, to: .default)
    for _ in 0..<5 { source.signal() }
    loop.actingFromElsewhere { source.signal() }
    loop.turn()
    loop.turn()
    #expect(performed.count == 1)
  }

  @Test func `M23: the mark stays while other modes run (CF 43)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let performed = Record<Int>()
    let source = RunLoop.Source { _ in performed.add(1) }
    loop.add(source, to: "mine")
    source.signal()
    loop.turn()
    #expect(performed.isEmpty)
    loop.turn(in: "mine")
    #expect(performed.count == 1)
  }

  @Test func `M23: by order number, then by the time of the first signal (CF 44)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    func make(_ name: String, order: Int) -> RunLoop.Source {
      let source = RunLoop.Source(order: order) { _ in seen.add(name) }
      loop.add(source, to: name == "common" ? .common : .default)
      return source
    }
    let last = make("last", order: 9)
    let late = make("late", order: 1)
    let common = make("common", order: 1)
    let early = make("early", order: 1)
    let first = make("first", order: -4)
    for source in [last, early, common, late, early, first] { source.signal() }
    loop.turn()
    #expect(seen.all == ["first", "early", "common", "late", "last"])
  }

  @Test
  func `M23: a pass performs all that are signalled, and with return after a source only the first (CF 44)`()
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let sources = (1...3).map { number in RunLoop.Source(order: number) { _ in seen.add(number) } }
    for source in sources {
      loop.add(source, to: .default)
      source.signal()
    }
    loop.turn(returnAfterSourceHandled: true)
    #expect(seen.all == [1])
    #expect(sources.map(\.isSignalled) == [false, true, true])
    loop.turn()
    #expect(seen.all == [1, 2, 3])
  }

  @Test
  func `M23: a source that signals itself is performed again in another pass that does not sleep (CF 45)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let passes = Record<Int>()
    let source = RunLoop.Source { source in
      #expect(!source.isSignalled, "the mark is cleared before")
      passes.add(virtual.passCount)
      if passes.count < 3 { source.signal() }
    }
    loop.add(source, to: .default)
    source.signal()
    loop.run(in: .default, for: .seconds(1))
    #expect(passes.all == [1, 2, 3])
    #expect(virtual.sleepCount == 1)
  }

  @Test func `M23: one that left its mode and came back is still performed once a round`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let passes = Record<Int>()
    let source = RunLoop.Source { source in
      passes.add(virtual.passCount)
      if passes.count == 1 { source.signal() }
    }
    loop.add(source, to: .default)
    source.signal()
    loop.remove(source, from: .default)
    loop.add(source, to: .default)
    loop.run(in: .default, for: .seconds(1))
    #expect(passes.all == [1, 2])
  }

  @Test
  func `M23: one that was performed in another of its modes, signalled in a round, is the next one's`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let performed = Record<String>()
    let second = RunLoop.Source(order: 2) { _ in performed.add("second") }
    let first = RunLoop.Source(order: 1) { _ in
      performed.add("first")
      second.signal()
    }
    loop.add(first, to: .default)
    for mode in [.default, "other"] as [RunLoop.Mode] { loop.add(second, to: mode) }
    first.signal()
    second.signal()
    loop.turn(in: "other")
    #expect(performed.all == ["second"])
    loop.turn()
    #expect(performed.all == ["second", "first"])
    loop.turn()
    #expect(performed.all == ["second", "first", "second"])
  }

  @Test func `M23: a signal before the source is added is not lost`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let performed = Record<Int>()
    let source = RunLoop.Source { _ in performed.add(1) }
    source.signal()
    loop.add(source, to: .default)
    loop.turn()
    #expect(performed.count == 1)
  }

  @Test(arguments: [true, false])
  func `M24: handled is true if any source of the round was performed (CF 47)`(isReturning: Bool) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let skipped = RunLoop.Source(order: 2) { _ in seen.add("skipped") }
    let first = RunLoop.Source(order: 1) { _ in
      seen.add("first")
      skipped.invalidate()
      loop.perform(in: .default) { seen.add("block") }
    }
    for source in [first, skipped] {
      loop.add(source, to: .default)
      source.signal()
    }
    let result = loop.run(in: .default, for: .seconds(1), returnAfterSourceHandled: isReturning)
    #expect(result == RunLoop.RunResult(isReturning ? .handledSource : .timedOut, handledSource: true))
    #expect(seen.all == ["first", "block"])
    // The block has its turn right behind the sources.
    #expect(Array(virtual.trace.phases.prefix(5)).suffix(2) == ["source", "block"])
  }

  @Test func `M24: not handled if the only signalled source was removed in time`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    source.signal()
    loop.perform(in: .default) { loop.remove(source, from: .default) }
    #expect(loop.turn(returnAfterSourceHandled: true) == RunLoop.RunResult(.timedOut, handledSource: false))
  }

  @Test func `M25: two sources with the same everything are two (CF 50)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let performed = Record<Int>()
    let perform: @Sendable (RunLoop.Source) -> Void = { _ in performed.add(1) }
    let sources = (0..<2).map { _ in RunLoop.Source(perform: perform) }
    for source in sources {
      loop.add(source, to: .default)
      source.signal()
    }
    loop.remove(sources[0], from: .default)
    #expect(!loop.contains(sources[0], in: .default))
    #expect(loop.contains(sources[1], in: .default))
    loop.turn()
    #expect(performed.count == 1)
  }

  @Test func `M25: schedule and cancel are called once a mode, with no lock held (CF 49)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    @Sendable func use(_ loop: RunLoop, _ source: RunLoop.Source) {
      // Whatever takes a lock: none may be held here.
      loop.perform(in: .default) {}
      loop.perform(in: [.default, .tracking]) {}
      _ = loop.contains(source, in: .common)
      loop.actingFromElsewhere { _ = loop.perform(in: .default) {} }
      _ = loop.debugDescription
    }
    let source = RunLoop.Source(
      onSchedule: { source, mode in
        use(loop, source)
        seen.add("+\(mode)")
      },
      onCancel: { source, mode in
        use(loop, source)
        seen.add("-\(mode)")
      }
    ) { _ in }
    loop.add(source, to: "own")
    loop.add(source, to: "own")
    loop.add(source, to: .common)
    #expect(seen.all == ["+own", "+default", "+tracking"])
    seen.clear()
    loop.remove(source, from: .default)
    loop.remove(source, from: .default)
    #expect(seen.all == ["-default"])
    seen.clear()
    source.invalidate()
    #expect(Set(seen.all) == ["-tracking", "-own"])
    #expect(seen.count == 2)
  }

  @Test func `M27: sources that are not signalled are not looked at`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    for order in 0..<1000 { loop.add(RunLoop.Source(order: order) { _ in }, to: .default) }
    // There is no list of them to be gone through.
    #expect(!loop.view(of: .default).hasSignalledSources)
    loop.run(in: .default, for: .seconds(1))
    #expect(virtual.passCount == 1)
    #expect(virtual.trace.phases.count { $0 == "source" } == 0)
  }

  @Test func `M23: sources that were signalled before they were added are performed in the order of adding`()
  {
    let virtual = VirtualRunLoop()
    let seen = Record<Int>()
    let sources = (0..<3).map { number in RunLoop.Source { _ in seen.add(number) } }
    for source in sources { source.signal() }
    for source in sources { virtual.loop.add(source, to: .default) }
    virtual.loop.turn()
    #expect(seen.all == [0, 1, 2])
  }
}
