@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct PerformKeyedTests {
  private final class Target: Sendable {}

  @Test func `M22: a block takes the place of the one that waits under its key, and the last in line`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    defer { virtual.end() }
    let order = Record<String>()
    loop.perform(in: [.default], key: "a") { order.add("first a") }
    loop.perform(in: [.default], key: "b") { order.add("b") }
    loop.perform(in: [.default], key: PerformKey(1)) { order.add("1") }
    loop.perform(in: [.default], key: "a") { order.add("second a") }
    #expect(loop.run().handledSource)
    #expect(order.all == ["b", "1", "second a"])
    #expect(loop.contents(of: .default).sources == 0)
  }

  @Test func `M22: order numbers go before the order of asking, blocks before both`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    defer { virtual.end() }
    let order = Record<Int>()
    for number in [3, -1, 2] { loop.perform(in: [.default], order: number) { order.add(number) } }
    loop.perform(in: [.default], key: "key", order: 1) { order.add(1) }
    loop.perform(in: .default) { order.add(0) }
    loop.run()
    #expect(order.all == [0, -1, 1, 2, 3])
  }

  @Test func `M22: it is performed once, in whichever of its modes runs first`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let order = Record<Int>()
    loop.perform(in: ["a", "b"], key: "key") { order.add(1) }
    loop.perform(in: ["a", .common], order: 0) { order.add(2) }
    let timer = loop.perform(in: ["a", "b"], key: "later", after: .seconds(1)) { order.add(3) }
    loop.run(in: "c", for: .zero)
    #expect(order.all.isEmpty)
    loop.run(in: "b")
    #expect(order.all == [1, 3])
    #expect(!timer.isValid)
    loop.run(in: .tracking)
    #expect(order.all == [1, 3, 2])
    loop.run(in: "a")
    #expect(order.all == [1, 3, 2])
  }

  @Test func `M22: a delay begins anew with each asking under the key`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let times = Record<Duration>()
    let start = virtual.now
    for number in 0..<3 {
      virtual.at(.milliseconds(200 * number)) {
        loop.perform(in: [.default], key: "look up", after: .milliseconds(300)) {
          times.add(start.duration(to: virtual.now))
        }
      }
    }
    loop.run(in: .default, for: .seconds(2), whenEmpty: .wait)
    #expect(times.all == [.milliseconds(700)])
    virtual.end()
  }

  @Test func `M22: a key is one for blocks with a delay and without`() {
    let virtual = VirtualRunLoop()
    let order = Record<Int>()
    virtual.loop.perform(in: [.default], key: "key", after: .seconds(1)) { order.add(1) }
    virtual.loop.perform(in: [.default], key: "key") { order.add(2) }
    virtual.loop.run()
    #expect(order.all == [2])
  }

  @Test func `M22: what is taken back under its key does not run, and its turn frees the key`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let order = Record<Int>()
    loop.perform(in: [.default], key: "key") { order.add(1) }
    #expect(loop.cancelPerform("key"))
    #expect(!loop.cancelPerform("key"))
    loop.perform(in: [.default], key: "key") {
      order.add(2)
      #expect(!loop.cancelPerform("key"))
      loop.perform(in: [.default], key: "key") { order.add(3) }
    }
    let timer = loop.perform(in: [.default], key: "timer", after: .seconds(1)) { order.add(4) }
    timer.invalidate()
    #expect(!loop.cancelPerform("timer"))
    loop.run()
    #expect(order.all == [2, 3])
  }

  @Test func `M22: all blocks of an object are taken back, and nobody else's`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    defer { virtual.end() }
    let order = Record<Int>()
    let (mine, other) = (Target(), Target())
    loop.perform(in: [.default], key: PerformKey("a", of: mine)) { order.add(1) }
    loop.perform(in: [.default], key: PerformKey("b", of: mine), after: .zero) { order.add(2) }
    loop.perform(in: [.default], key: PerformKey("a", of: other)) { order.add(3) }
    loop.perform(in: [.default], key: "a") { order.add(4) }
    #expect(loop.cancelPerforms(of: mine) == 2)
    #expect(loop.cancelPerforms(of: mine) == 0)
    loop.run()
    #expect(order.all == [3, 4])
  }

  @Test func `M22: one that an earlier block takes back does not run, also one found together with it`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    defer { virtual.end() }
    let order = Record<Int>()
    loop.perform(in: [.default], key: "first", order: 0) {
      order.add(1)
      #expect(loop.cancelPerform("second"))
    }
    loop.perform(in: [.default], key: "second", order: 1) { order.add(2) }
    loop.run()
    #expect(order.all == [1])
  }

  @Test func `M13, M22: a nested run in the mode performs what waits, one in another leaves it`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    defer { virtual.end() }
    let order = Record<Int>()
    loop.perform(in: [.default], key: "outer") {
      loop.run(in: "other", for: .zero)
      order.add(1)
      loop.run(in: .default, for: .zero)
      order.add(3)
    }
    loop.perform(in: [.default], key: "inner") { order.add(2) }
    loop.run()
    #expect(order.all == [1, 2, 3])
  }

  @Test func `M18, M22: from another thread it wakes a loop that sleeps in one of the modes, and only then`()
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let order = Record<Int>()
    let start = virtual.now
    virtual.at(.seconds(1)) { loop.perform(in: ["another"], key: "a") { order.add(1) } }
    virtual.at(.seconds(2)) {
      loop.perform(in: ["another", .default], key: "b") {
        order.add(2)
        #expect(start.duration(to: virtual.now) == .seconds(2))
        loop.stop()
      }
    }
    let sleeps = virtual.sleepCount
    loop.run(in: .default, for: .seconds(10), whenEmpty: .wait)
    #expect(order.all == [2])
    #expect(virtual.sleepCount == sleeps + 1)
    virtual.end()
  }

  @Test func `M22: replaced from other threads, one of many runs, and each that was taken back does not`()
    throws
  {
    let host = LoopHost()
    let loop = host.loop
    let runs = Record<Int>()
    let taken = Record<Int>()
    let threads = (0..<2).map { thread in
      TestThread {
        for number in 0..<500 {
          loop.perform(in: [.default], key: PerformKey(thread * 1000 + number)) { runs.add(1) }
          if loop.cancelPerform(PerformKey(thread * 1000 + number)) { taken.add(1) }
        }
      }
    }
    for thread in threads { thread.join() }
    loop.perform(in: [.default], key: "last", order: .max) {}
    try loop.performAndWait(in: .default) {}
    try loop.performAndWait(in: .default) {}
    #expect(runs.all.count + taken.all.count == 1000)
  }

  @Test func `M44, M22: a loop that has ended refuses, and lets go of what waited`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let released = [ReleaseFlag(), ReleaseFlag()]
    for (key, flag) in zip(["a", "b"], released) {
      let token = ReleaseToken(flag)
      loop.perform(in: [.default], key: RunLoop.PerformKey(key)) { token.touch() }
    }
    virtual.end()
    #expect(!loop.perform(in: [.default], key: "a") {})
    #expect(!loop.perform(in: [.default], order: 1) {})
    #expect(!loop.perform(in: [.default], key: "a", after: .zero) {}.isValid)
    #expect(!loop.cancelPerform("a"))
    #expect(released.map(\.isRaised) == [true, true])
  }

  @Test func `M51, M22: a thread that is told to stop does what was sent before, and refuses the rest`()
    throws
  {
    let order = Record<Int>()
    let thread = try RunLoopThread(named: "keyed")
    let gate = Gate()
    thread.perform { gate.pass() }
    thread.loop.perform(in: [.common], key: "a") { order.add(1) }
    thread.loop.perform(in: [.default], order: -1) {
      order.add(0)
      #expect(!thread.loop.perform(in: [.default], key: "b") { order.add(2) })
    }
    thread.loop.refuseBlocks()
    #expect(!thread.loop.perform(in: [.default], key: "c") { order.add(3) })
    gate.open()
    thread.stop()
    #expect(order.all == [0, 1])
  }
}

private typealias PerformKey = RunLoop.PerformKey
