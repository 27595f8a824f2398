import Mainspring
import MainspringTesting
import Testing

@Suite struct BlockTests {
  @Test(arguments: [[RunLoop.Mode.default], [.common], ["other", .default], [.tracking, .common]])
  func `M18: queueing wakes a loop that sleeps in a mode that would run the block (CF 37)`(
    modes: [RunLoop.Mode]
  ) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let done = Record<RunLoop.Instant>()
    virtual.at(.seconds(1)) {
      if modes.count == 1 {
        loop.perform(in: modes[0]) { done.add(virtual.now) }
      } else {
        loop.perform(in: modes) { done.add(virtual.now) }
      }
    }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    #expect(done.all == [begin.advanced(by: .seconds(1))])
  }

  @Test(arguments: [[RunLoop.Mode.tracking], ["other"], ["other", .tracking], [.initialization]])
  func `M18: a block for other modes does not wake it and is seen on entering such a mode`(
    modes: [RunLoop.Mode]
  ) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let done = Record<Int>()
    virtual.at(.seconds(1)) { loop.perform(in: modes) { done.add(1) } }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    #expect(virtual.passCount == 1)
    #expect(virtual.sleepCount == 1)
    #expect(done.isEmpty)
    loop.turn(in: modes[0])
    #expect(done.count == 1)
  }

  @Test func `M18: a common block does not wake a loop that sleeps in a mode that is not common`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    virtual.at(.seconds(1)) { loop.perform(in: .common) {} }
    loop.run(in: "special", for: .seconds(9), whenEmpty: .wait)
    #expect(virtual.passCount == 1)
  }

  @Test func `M18: first in, first out among those that match, and the others keep their places (CF 36)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.perform(in: .default) { seen.add("1 default") }
    loop.perform(in: "other") { seen.add("2 other") }
    loop.perform(in: .common) { seen.add("3 common") }
    loop.perform(in: ["other", .default]) { seen.add("4 both") }
    loop.perform(in: .default) { seen.add("5 default") }
    loop.perform(in: "other") { seen.add("6 other") }
    loop.perform(in: [.common, .default, "other"]) { seen.add("7 all") }
    loop.perform(in: .common) { seen.add("8 common") }
    loop.turn()
    #expect(seen.all == ["1 default", "3 common", "4 both", "5 default", "7 all", "8 common"])
    seen.clear()
    loop.turn(in: "other")
    #expect(seen.all == ["2 other", "6 other"])
  }

  @Test func `M18: from several threads' posts and the loop's own the order of queueing holds`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    loop.perform(in: .default) { seen.add(1) }
    loop.actingFromElsewhere { _ = loop.perform(in: .default) { seen.add(2) } }
    loop.perform(in: .default) { seen.add(3) }
    loop.actingFromElsewhere { _ = loop.perform(in: [.default, .tracking]) { seen.add(4) } }
    loop.perform(in: .default) { seen.add(5) }
    loop.turn()
    #expect(seen.all == [1, 2, 3, 4, 5])
  }

  @Test func `M18: a block for several modes runs once and then keeps none of them going`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let done = Record<Int>()
    loop.perform(in: [.default, .tracking, "other", .default]) { done.add(1) }
    #expect(loop.run(in: .tracking).reason == .finished)
    #expect(done.count == 1)
    virtual.trace.clear()
    for mode in [RunLoop.Mode.default, "other", .tracking] {
      #expect(loop.run(in: mode).reason == .finished)
    }
    #expect(virtual.trace.phases == [], "the modes are empty")
    #expect(done.count == 1)
  }

  @Test func `M18: a block for several modes that runs a nested loop in another of them runs once`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let done = Record<Int>()
    loop.perform(in: [.default, "other"]) {
      done.add(1)
      loop.turn(in: "other")
    }
    loop.turn()
    #expect(done.count == 1)
  }

  @Test func `M18: what was queued is told whether the loop could take it`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(loop.perform(in: .default) {})
    #expect(loop.perform(in: [.default, .common]) {})
    virtual.end()
    #expect(loop.perform(in: .default) {} == false)
    #expect(loop.perform(in: [.default, .common]) {} == false)
  }

  @Test func `M19: a drain goes up to the last block queued when it began`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.perform(in: .default) {
      loop.perform(in: .default) { loop.perform(in: .default) {} }
    }
    loop.turn()
    // Two drains a pass: the third block is left.
    #expect(virtual.trace.phases.count { $0 == "block" } == 2)
    loop.turn()
    #expect(virtual.trace.phases.count { $0 == "block" } == 3)
  }

  @Test func `M19: a drain performs at most a named number of blocks`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let done = Record<Int>()
    for number in 0..<(2 * Limit.blocksPerDrain + 5) { loop.perform(in: .default) { done.add(number) } }
    loop.turn()
    #expect(done.count == 2 * Limit.blocksPerDrain)
    loop.turn()
    #expect(done.all == Array(0..<(2 * Limit.blocksPerDrain + 5)))
  }

  @Test func `M19: a nested run in a block sees the blocks behind it, in order (CF 41)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.perform(in: .default) {
      seen.add("begin 1")
      loop.perform(in: .default) { seen.add("3") }
      loop.turn()
      seen.add("end 1")
    }
    loop.perform(in: .default) { seen.add("2") }
    loop.turn()
    #expect(seen.all == ["begin 1", "2", "3", "end 1"])
  }

  @Test func `M19: waiting in a block for one that is queued behind it ends (CF 41)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let token = RunLoop.Token()
    let result = Box<RunLoop.RunResult>()
    loop.perform(in: .default) { result.value = loop.run(until: token, for: .seconds(1)) }
    loop.perform(in: .default) { token.signal() }
    loop.turn()
    #expect(result.value?.reason == .signalled)
  }

  @Test func `M20: blocks queued by blocks run without a sleep before (CF 39)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let depth = Record<Int>()
    @Sendable func queue() {
      depth.add(virtual.sleepCount)
      if depth.count < 10 { loop.perform(in: .default) { queue() } }
    }
    loop.perform(in: .default) { queue() }
    loop.run(in: .default, for: .seconds(1), whenEmpty: .wait)
    #expect(depth.all == Array(repeating: 0, count: 10))
  }

  @Test func `M20: what is left makes the next pass busy`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    for _ in 0..<(3 * Limit.blocksPerDrain + 1) { loop.perform(in: .default) {} }
    loop.run(in: .default)
    let steps = virtual.trace.phases.filter { $0 != "block" && $0 != "beforeSources" }
    // Two drains a pass, busy until nothing is left at the second drain's begin.
    #expect(steps == ["entry", "beforeTimers", "beforeTimers", "exit"])
  }

  @Test func `M21: blocks of other modes make no pass busy and are no reason to look at them`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    for _ in 0..<1000 { loop.perform(in: "other") {} }
    loop.run(in: .default, for: .seconds(1), whenEmpty: .wait)
    #expect(virtual.passCount == 1)
    #expect(virtual.sleepCount == 1)
    #expect(loop.run(in: .default).reason == .finished)
  }

  @Test
  func
    `M20: a block that a block queues for several modes makes the pass busy, as one for a single mode does`()
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.add(RunLoop.Observer(.beforeWaiting) { _, _ in seen.add("waiting") }, to: .default)
    for modes in [[RunLoop.Mode.default], [.default, .tracking]] {
      loop.perform(in: .default) { loop.perform(in: modes) { seen.add("block") } }
      loop.run(in: .default, for: .seconds(1))
    }
    loop.perform(in: .default) {
      loop.actingFromElsewhere { _ = loop.perform(in: .default) { seen.add("from elsewhere") } }
    }
    loop.run(in: .default, for: .seconds(1))
    #expect(seen.all == ["block", "block", "from elsewhere"])
  }
}
