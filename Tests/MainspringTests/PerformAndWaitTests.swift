@testable import Mainspring
import MainspringTesting
import Testing

private typealias PerformError = RunLoop.PerformError

@Suite struct PerformAndWaitTests {
  private struct OwnError: Error, Equatable { let number: Int }

  @Test func `M22: the waiter gets what the block returned, or threw, on the loop's thread`() throws {
    let host = LoopHost()
    #expect(try host.loop.performAndWait(in: .default) { RunLoop.current === host.loop })
    #expect(throws: OwnError(number: 7)) {
      try host.loop.performAndWait(in: .default) { throw OwnError(number: 7) }
    }
  }

  @Test func `M22: what was sent before is done before`() throws {
    let host = LoopHost()
    let order = Record<Int>()
    for number in 0..<100 { host.loop.perform(in: .default) { order.add(number) } }
    try host.loop.performAndWait(in: .default) { order.add(100) }
    #expect(order.all == Array(0...100))
  }

  @Test func `M22: on the loop's own thread it runs at once, in whatever mode`() throws {
    let virtual = VirtualRunLoop()
    virtual.loop.perform(in: .default) { Issue.record("queued before, and not yet its turn") }
    #expect(try virtual.loop.performAndWait(in: "another") { 3 } == 3)
  }

  @Test func `M22: a block that has not begun when the limit passes never runs`() throws {
    let host = LoopHost()
    let (begun, mayEnd) = (Gate(), Gate())
    host.loop.perform(in: .default) {
      begun.open()
      mayEnd.pass()
    }
    begun.pass()
    let late = Record<Int>()
    #expect(throws: PerformError.limitPassed) {
      try host.loop.performAndWait(in: .default, for: .milliseconds(1)) { late.add(1) }
    }
    mayEnd.open()
    try host.loop.performAndWait(in: .default) {}
    #expect(late.isEmpty)
  }

  @Test func `M22: one that has begun ends after its waiter has gone`() throws {
    let host = LoopHost()
    let (mayEnd, ended) = (Gate(), Record<Int>())
    #expect(throws: PerformError.limitPassed) {
      try host.loop.performAndWait(in: .default, for: .milliseconds(20)) {
        mayEnd.pass()
        ended.add(1)
      }
    }
    mayEnd.open()
    try host.loop.performAndWait(in: .default) {}
    // On a slow machine the limit may have passed before it began.
    #expect(ended.count <= 1)
  }

  @Test func `M22: a loop that has ended, or ends first, is told to the waiter`() throws {
    let host = LoopHost()
    let (begun, mayEnd) = (Gate(), Gate())
    host.loop.perform(in: .default) {
      begun.open()
      mayEnd.pass()
    }
    begun.pass()
    let waits = Gate()
    let loop = host.loop
    let waiter = TestThread {
      waits.open()
      #expect(throws: PerformError.loopEnded) { try loop.performAndWait(in: "never run") {} }
    }
    waits.pass()
    mayEnd.open()
    host.end()
    waiter.join()
    #expect(throws: PerformError.loopEnded) { try loop.performAndWait(in: .default) {} }
    #expect(!loop.perform(in: .default) {})
  }

  @Test func `M22: waiting in a circle is refused, however long the circle`() throws {
    let hosts = (0..<3).map { _ in LoopHost() }
    defer { for host in hosts { host.end() } }
    let (first, second, third) = (hosts[0].loop, hosts[1].loop, hosts[2].loop)
    let refused = try first.performAndWait(in: .default) {
      try second.performAndWait(in: .default) {
        try third.performAndWait(in: .default) { () -> [PerformError] in
          [first, second].compactMap { loop in
            do {
              try loop.performAndWait(in: .default, for: .seconds(60)) {}
              return nil
            } catch { return error as? PerformError }
          }
        }
      }
    }
    #expect(refused == [.wouldDeadlock, .wouldDeadlock])
    // Nobody waits any more: everything is allowed again.
    #expect(try third.performAndWait(in: .default) { try first.performAndWait(in: .default) { 5 } } == 5)
  }

  @Test func `M22: invalidating and waiting takes part in the circle`() throws {
    let hosts = (0..<2).map { _ in LoopHost() }
    defer { for host in hosts { host.end() } }
    let (first, second) = (hosts[0].loop, hosts[1].loop)
    let source = RunLoop.Source { _ in }
    first.add(source, to: .default)
    let refused = try first.performAndWait(in: .default) {
      try second.performAndWait(in: .default) { () -> RunLoop.InvalidationError? in
        do throws(RunLoop.InvalidationError) {
          try source.invalidateAndWait(for: .seconds(60))
          return nil
        } catch { return error }
      }
    }
    #expect(refused == .wouldDeadlock)
    #expect(!source.isValid, "it is invalid all the same")
  }

  @Test func `M22: once the answer is given the answerer may wait for the asker's loop`() throws {
    let hosts = (0..<2).map { _ in LoopHost() }
    defer { for host in hosts { host.end() } }
    let (first, second) = (hosts[0].loop, hosts[1].loop)
    // Each answers and asks at once, over and over: an arrow that outlived its answer would refuse some of them.
    let done = Gate()
    let rounds = 2_000
    @Sendable func ask(_ round: Int) {
      guard round < rounds else { return done.open() }
      let (asker, asked) = round.isMultiple(of: 2) ? (first, second) : (second, first)
      asker.perform(in: .default) {
        do {
          try asked.performAndWait(in: .default) { ask(round + 1) }
        } catch { Issue.record("round \(round): \(error)") }
      }
    }
    ask(0)
    done.pass()
  }

  @Test func `M22: a delayed block runs once after its delay, and its timer takes it back`() {
    let virtual = VirtualRunLoop()
    let ran = Record<Int>()
    virtual.loop.perform(in: .default, after: .seconds(2)) { ran.add(1) }
    let taken = virtual.loop.perform(in: .default, after: .seconds(1)) { ran.add(2) }
    taken.invalidate()
    let begin = virtual.now
    #expect(virtual.loop.run(in: .default).reason == .finished)
    #expect(ran.all == [1])
    #expect(begin.duration(to: virtual.now) == .seconds(2))
    virtual.end()
    #expect(!virtual.loop.perform(in: .default, after: .seconds(1)) {}.isValid)
  }
}
