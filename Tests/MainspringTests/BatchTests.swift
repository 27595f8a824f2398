import Mainspring
import MainspringTesting
import Testing

@Suite struct BatchTests {
  @Test func `M3: the whole batch is served in one pass, timers first, ports before descriptors`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    for number in [9, 7, 8] {
      virtual.setReadiness(.read, of: Int32(number))
      try loop.add(
        RunLoop.DescriptorSource(Int32(number)) { source, _ in
          seen.add("descriptor \(number)")
          source.invalidate()
        }, to: .default)
    }
    let ports = ["a", "b"].map { name in RunLoop.Port<Int> { _, _ in seen.add("port \(name)") } }
    for port in ports {
      loop.add(port, to: .default)
      port.send(0)
    }
    loop.add(RunLoop.Timer(after: .zero) { _ in seen.add("timer") }, to: .default)
    loop.turn()
    // Ties in the order of finding: descriptors in the kernel's, here that of their registrations.
    #expect(
      seen.all == ["timer", "port a", "port b", "descriptor 9", "descriptor 7", "descriptor 8"])
    #expect(virtual.passCount == 1)
  }

  @Test func `M3: order numbers go over ports and descriptors together, within one batch`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    for (number, order) in [(7, 3), (8, 1), (9, 2)] {
      virtual.setReadiness(.read, of: Int32(number))
      try loop.add(
        RunLoop.DescriptorSource(Int32(number), order: order) { source, _ in
          seen.add("descriptor \(order)")
          source.invalidate()
        }, to: .default)
    }
    for order in [3, 2, Int.min, Int.max] {
      let port = RunLoop.Port<Int>(order: order) { _, _ in
        seen.add(order == .min ? "port min" : order == .max ? "port max" : "port \(order)")
      }
      loop.add(port, to: .default)
      port.send(0)
    }
    loop.turn()
    #expect(
      seen.all == [
        "port min", "descriptor 1", "port 2", "descriptor 2", "port 3", "descriptor 3", "port max",
      ])
  }

  @Test func `M3: timers that are due at one clock reading fire together, a later one in the next pass`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    for delay in [3, 1, 2] {
      loop.add(
        RunLoop.Timer(after: .milliseconds(delay)) { _ in
          seen.add(delay)
          // While the batch is served another timer becomes due: not of this batch.
          if delay == 1 { virtual.spend(.milliseconds(10)) }
        }, to: .default)
    }
    virtual.spend(.milliseconds(2))
    loop.turn()
    #expect(seen.all == [1, 2])
    loop.turn()
    #expect(seen.all == [1, 2, 3])
  }

  @Test func `M3: timers beyond the limit of a pass fire in a busy pass that follows`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let fired = Record<Int>()
    for number in 0..<(Limit.timersPerPass + 10) {
      loop.add(RunLoop.Timer(after: .zero) { _ in fired.add(number) }, to: .default)
    }
    let atTop = Record<Int>()
    let atWait = Record<Int>()
    loop.add(RunLoop.Observer(.beforeTimers) { _, _ in atTop.add(fired.count) }, to: .default)
    loop.add(RunLoop.Observer(.beforeWaiting) { _, _ in atWait.add(fired.count) }, to: .default)
    loop.run(in: .default)
    #expect(atTop.all == [0, Limit.timersPerPass])
    #expect(atWait.all == [0])
    #expect(fired.all == Array(0..<(Limit.timersPerPass + 10)))
  }

  @Test func `M3: messages beyond the limit of a pass are delivered in a busy pass that follows`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { _, message in seen.add(message) }
    loop.add(port, to: .default)
    for number in 0..<(Limit.messagesPerPass + 10) { port.send(number) }
    port.close()
    let atTop = Record<Int>()
    let atWait = Record<Int>()
    loop.add(RunLoop.Observer(.beforeTimers) { _, _ in atTop.add(seen.count) }, to: .default)
    loop.add(RunLoop.Observer(.beforeWaiting) { _, _ in atWait.add(seen.count) }, to: .default)
    loop.run(in: .default)
    #expect(atTop.all == [0, Limit.messagesPerPass])
    #expect(atWait.all == [0])
    #expect(seen.all == Array(0..<(Limit.messagesPerPass + 10)))
  }

  @Test func `M3: with returnAfterSourceHandled the first handled one ends it and the rest stay ready`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let port = RunLoop.Port<Int>(order: 1) { _, message in seen.add("port \(message)") }
    loop.add(port, to: .default)
    port.send(1)
    port.send(2)
    for (number, trigger) in [(7, RunLoop.DescriptorSource.Trigger.edge), (8, .level)] {
      virtual.setReadiness(.read, of: Int32(number))
      try loop.add(
        RunLoop.DescriptorSource(Int32(number), trigger: trigger, order: number) { _, _ in
          seen.add("descriptor \(number)")
          virtual.setReadiness([], of: Int32(number))
        }, to: .default)
    }
    loop.add(RunLoop.Timer(after: .zero) { _ in seen.add("timer") }, to: .default)
    let expected = ["timer", "port 1", "port 2", "descriptor 7", "descriptor 8"]
    for count in 2...5 {
      let result = loop.turn(returnAfterSourceHandled: true)
      #expect(result.reason == .handledSource)
      #expect(seen.all == Array(expected.prefix(count)))
    }
    #expect(loop.turn(returnAfterSourceHandled: true).reason == .timedOut)
  }

  @Test func `M3: an earlier callout of the batch takes a later one's readiness away with its interest`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let second = RunLoop.DescriptorSource(8, order: 2) { _, _ in seen.add(2) }
    let first = RunLoop.DescriptorSource(7, order: 1) { source, _ in
      seen.add(1)
      second.interest = .write
      source.invalidate()
    }
    for number: Int32 in [7, 8] { virtual.setReadiness(.read, of: number) }
    try loop.add(second, to: .default)
    try loop.add(first, to: .default)
    loop.turn()
    #expect(seen.all == [1])
  }
}
