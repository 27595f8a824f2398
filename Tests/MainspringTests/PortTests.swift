import Mainspring
import MainspringTesting
import Testing

@Suite struct PortTests {
  @Test func `M30: messages come in the order of sending, all of them in one pass`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { _, message in seen.add(message) }
    loop.add(port, to: .default)
    for number in 0..<5 { #expect(port.send(number) == .sent) }
    loop.actingFromElsewhere { _ = port.send(5) }
    #expect(port.count == 6)
    loop.turn()
    #expect(seen.all == [0, 1, 2, 3, 4, 5])
    #expect(port.count == 0)
  }

  @Test func `M30: a message wakes a loop that sleeps in one of the port's modes, and no other`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let seen = Record<String>()
    let here = RunLoop.Port<String> { _, message in
      seen.add("\(message) at \(begin.duration(to: virtual.now))")
    }
    let there = RunLoop.Port<String> { _, message in seen.add(message) }
    loop.add(here, to: .common)
    loop.add(there, to: "other")
    virtual.at(.seconds(1)) { there.send("there") }
    virtual.at(.seconds(2)) { here.send("here") }
    loop.run(in: .default, for: .seconds(9))
    #expect(seen.all == ["here at 2.0 seconds"])
    #expect(virtual.passCount == 2)
    loop.turn(in: "other")
    #expect(seen.all.last == "there")
  }

  @Test func `M30: a message wakes a loop that sleeps in whichever of the port's modes`() {
    let modes: [RunLoop.Mode] = ["a", "b", "c"]
    for mode in modes {
      let virtual = VirtualRunLoop()
      let loop = virtual.loop
      let begin = virtual.now
      let seen = Record<Duration>()
      let port = RunLoop.Port<Int> { _, _ in seen.add(begin.duration(to: virtual.now)) }
      for mode in modes { loop.add(port, to: mode) }
      // Wherever it is put, it stays in the other two.
      loop.remove(port, from: mode == "a" ? "b" : "a")
      virtual.at(.seconds(1)) { port.send(1) }
      loop.run(in: mode, for: .seconds(9))
      #expect(seen.all == [.seconds(1)])
    }
  }

  @Test func `M30: what was delivered in one of a port's modes keeps no other mode awake`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let port = RunLoop.Port<Int> { _, _ in }
    for mode: RunLoop.Mode in ["one", "other"] { loop.add(port, to: mode) }
    port.send(1)
    loop.turn(in: "one")
    virtual.trace.clear()
    loop.run(in: "other", for: .seconds(1))
    #expect(virtual.passCount == 1)
    #expect(virtual.sleepCount == 1)
  }

  @Test func `M30: what comes after the look waits for the next one, whatever modes the port is in`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let port = RunLoop.Port<Int> { _, message in seen.add("\(message)") }
    for mode: RunLoop.Mode in ["one", "other"] { loop.add(port, to: mode) }
    port.send(1)
    loop.turn(in: "one")
    loop.add(
      RunLoop.Timer(after: .zero) { _ in
        port.send(2)
        loop.perform(in: "other") { seen.add("block") }
      }, to: "other")
    for _ in 0..<2 { loop.turn(in: "other") }
    #expect(seen.all == ["1", "block", "2"])
  }

  @Test func `M30: messages before the port is added wait for that`() {
    let virtual = VirtualRunLoop()
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { _, message in seen.add(message) }
    #expect(port.send(1) == .sent)
    virtual.loop.add(port, to: .default)
    #expect(port.send(2) == .sent)
    virtual.loop.turn()
    #expect(seen.all == [1, 2])
  }

  @Test func `M30: bounded if asked: a full one tells the sender, until there is room again`() {
    let virtual = VirtualRunLoop()
    let seen = Record<Int>()
    let port = RunLoop.Port<Int>(capacity: 2) { _, message in seen.add(message) }
    virtual.loop.add(port, to: .default)
    #expect((1...3).map { port.send($0) } == [.sent, .sent, .full])
    virtual.loop.turn()
    #expect(port.send(4) == .sent)
    virtual.loop.turn()
    #expect(seen.all == [1, 2, 4])
  }

  @Test func `M30: a message waits until its turn has come, also in the middle of a burst`() {
    let virtual = VirtualRunLoop()
    let seen = Record<String>()
    let port = RunLoop.Port<Int>(capacity: 2) { port, message in
      seen.add("\(message): \(port.count) wait")
      if message == 1 { seen.add("\(port.send(3)) \(port.send(4))") }
    }
    virtual.loop.add(port, to: .default)
    for number in 1...2 { port.send(number) }
    virtual.loop.turn()
    #expect(seen.all == ["1: 1 wait", "sent full", "2: 1 wait", "3: 0 wait"])
  }

  @Test func `M30: a run in a handler goes on with the messages, and what it leaves is the outer one's`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { port, message in
      seen.add(message)
      if message == 1 {
        port.send(5)
        loop.run(in: .default, for: .seconds(1), returnAfterSourceHandled: true)
        port.send(6)
        seen.add(-port.count)
      }
    }
    loop.add(port, to: .default)
    for number in 1...4 { port.send(number) }
    for _ in 0..<2 { loop.turn() }
    #expect(seen.all == [1, 2, -4, 3, 4, 5, 6])
  }

  @Test func `M30: what waits is released with the port, or when it is invalidated`() {
    let virtual = VirtualRunLoop()
    let flags = (0..<4).map { _ in ReleaseFlag() }
    let port = RunLoop.Port<ReleaseToken> { port, _ in port.invalidate() }
    virtual.loop.add(port, to: .default)
    for flag in flags.prefix(3) { port.send(ReleaseToken(flag)) }
    #expect(flags.allSatisfy { !$0.isRaised })
    virtual.loop.turn()
    #expect(flags.map(\.isRaised) == [true, true, true, false])
    do {
      let other = RunLoop.Port<ReleaseToken> { _, _ in }
      other.send(ReleaseToken(flags[3]))
    }
    #expect(flags[3].isRaised)
  }

  @Test func `M30: closing refuses what comes and delivers what was sent, and then the port is invalid`() {
    let virtual = VirtualRunLoop()
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { _, message in seen.add(message) }
    virtual.loop.add(port, to: .default)
    port.send(1)
    port.close()
    #expect(port.send(2) == .closed)
    #expect(port.isValid)
    #expect(virtual.loop.run(in: .default).reason == .finished)
    #expect(seen.all == [1])
    #expect(!port.isValid)
    let idle = RunLoop.Port<Int> { _, _ in }
    idle.close()
    #expect(!idle.isValid)
  }

  @Test func `M30: a closed port stays valid until its last message was delivered, in however many runs`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { _, message in seen.add(message) }
    loop.add(port, to: .default)
    for message in 1...3 { port.send(message) }
    port.close()
    for message in 1...3 {
      #expect(port.isValid)
      #expect(loop.run(in: .default, returnAfterSourceHandled: true).reason == .handledSource)
      #expect(seen.all == Array(1...message))
    }
    #expect(!port.isValid)
  }

  @Test func `M30: an invalidated port refuses, and what waited is not delivered`() {
    let virtual = VirtualRunLoop()
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { port, message in
      seen.add(message)
      port.invalidate()
    }
    virtual.loop.add(port, to: .default)
    for number in 1...3 { port.send(number) }
    virtual.loop.turn()
    #expect(port.send(4) == .closed)
    virtual.loop.turn()
    #expect(seen.all == [1])
    #expect(port.count == 0)
  }

  @Test func `M30: a message that the handler sends to its own port comes after those that wait`() {
    let virtual = VirtualRunLoop()
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { port, message in
      seen.add(message)
      if message < 3 { port.send(message + 10) }
    }
    virtual.loop.add(port, to: .default)
    for number in 1...3 { port.send(number) }
    virtual.loop.run(in: .default, for: .seconds(1))
    #expect(seen.all == [1, 2, 3, 11, 12])
  }

  @Test func `M30: random bursts through one port keep their order`() {
    var random = SeededRandom()
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { _, message in
      seen.add(message)
      if message.isMultiple(of: 997) { loop.stop() }
    }
    loop.add(port, to: .default)
    var sent = 0
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 0...400, using: &random) {
        port.send(sent)
        sent += 1
      }
      loop.turn()
    }
    while port.count > 0 { loop.turn() }
    #expect(seen.all == Array(0..<sent), "seed \(random.seed)")
  }

  @Test func `M30: from many threads nothing is lost and each one's order stays`() {
    let host = Box<RunLoop>()
    let ready = Gate()
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { _, message in seen.add(message) }
    let thread = TestThread {
      let loop = RunLoop.current
      loop.add(port, to: .common)
      host.value = loop
      ready.open()
      loop.run(in: .default)
    }
    ready.pass()
    let (threadCount, count) = (3, 3000)
    let senders = (0..<threadCount).map { sender in
      TestThread { for number in 0..<count { port.send(sender * count + number) } }
    }
    for sender in senders { sender.join() }
    // What was sent before is delivered, and then the run has nothing left.
    port.close()
    thread.join()
    #expect(seen.count == threadCount * count)
    for sender in 0..<threadCount {
      #expect(seen.all.filter { $0 / count == sender } == Array(sender * count..<(sender + 1) * count))
    }
  }
}
