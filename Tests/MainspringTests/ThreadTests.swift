import Glibc
import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

@Suite struct ThreadTests {
  @Test func `M43: one loop a thread, made at first use, and the same at every use`() {
    let loops = Record<ObjectIdentifier>()
    let kept = Record<RunLoop>()
    let threads = (0..<3).map { _ in
      TestThread {
        let loop = RunLoop.current
        kept.add(loop)
        loops.add(ObjectIdentifier(loop))
        if RunLoop.current !== loop { Issue.record("another loop at the second use") }
      }
    }
    for thread in threads { thread.join() }
    #expect(Set(loops.all).count == 3)
  }

  @Test func `M43: the main loop is one, the same from every thread, and not that of another thread`() {
    let main = RunLoop.main.base
    let seen = Record<Bool>()
    TestThread {
      seen.add(RunLoop.main.base === main)
      seen.add(RunLoop.current === main)
    }.join()
    #expect(seen.all == [true, false])
  }

  @Test func `M43: on virtual time the virtual loop is the current one, the innermost of several`() {
    let outer = VirtualRunLoop()
    #expect(RunLoop.current === outer.loop)
    let inner = VirtualRunLoop()
    #expect(RunLoop.current === inner.loop)
    inner.end()
    #expect(RunLoop.current === outer.loop)
  }

  @Test func `M18: a block from another thread wakes a loop that really sleeps, in epoll and on its word`()
    throws
  {
    for usesDescriptor in [false, true] {
      let asleep = Box<RunLoop>()
      let ready = Gate()
      let pipe = Pipe()
      let thread = TestThread {
        let loop = RunLoop.current
        asleep.value = loop
        if usesDescriptor { try? loop.add(RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }, to: .default) }
        loop.add(RunLoop.Observer(.beforeWaiting) { _, _ in ready.open() }, to: .default)
        loop.run(in: .default, whenEmpty: .wait)
      }
      ready.pass()
      let loop = asleep.value!
      // Before the sleep, in it, or after it: it must come whichever it is.
      for _ in 0..<1000 {
        let done = Gate()
        loop.perform(in: .default) { done.open() }
        done.pass()
      }
      #expect(loop.stop())
      thread.join()
    }
  }

  @Test func `M18: many threads at once lose no block, and each one's blocks stay in order`() {
    let host = Box<RunLoop>()
    let ready = Gate()
    let token = RunLoop.Token()
    let seen = Record<Int>()
    let thread = TestThread {
      host.value = RunLoop.current
      RunLoop.current.perform(in: .default) { ready.open() }
      RunLoop.current.run(until: token)
    }
    ready.pass()
    let loop = host.value!
    let (threadCount, blockCount) = (4, 2000)
    let senders = (0..<threadCount).map { sender in
      TestThread {
        for number in 0..<blockCount {
          loop.perform(in: number.isMultiple(of: 3) ? .common : .default) {
            seen.add(sender * blockCount + number)
          }
        }
      }
    }
    for sender in senders { sender.join() }
    loop.perform(in: .default) { token.signal() }
    thread.join()
    #expect(seen.count == threadCount * blockCount)
    for sender in 0..<threadCount {
      let own = seen.all.filter { $0 / blockCount == sender }
      #expect(own == Array(sender * blockCount..<(sender + 1) * blockCount))
    }
  }

  @Test
  func
    `M44: at a thread's end items are removed and cancel callbacks run, with the loop current and refusing`()
  {
    let seen = Record<String>()
    let kept = Box<RunLoop>()
    let source = RunLoop.Source(onCancel: { source, mode in
      let loop = RunLoop.current
      seen.add("cancel in \(mode)")
      if loop !== kept.value { seen.add("another loop is current") }
      if loop.add(RunLoop.Source { _ in }, to: .default) { seen.add("it took a source") }
      if loop.perform(in: .default, {}) { seen.add("it took a block") }
      if loop.perform(in: [.default, .tracking], {}) { seen.add("it took a block for two modes") }
    }) { _ in }
    let timer = RunLoop.Timer(after: .seconds(1000)) { _ in }
    TestThread {
      let loop = RunLoop.current
      kept.value = loop
      loop.add(source, to: "a")
      loop.add(source, to: .common)
      loop.add(timer, to: .default)
    }.join()
    #expect(Set(seen.all) == ["cancel in a", "cancel in default", "cancel in tracking"])
    #expect(seen.count == 3)
    #expect(timer.isValid)
  }

  @Test func `M44: work sent to a dead loop is refused and the sender is told`() throws {
    let kept = Box<RunLoop>()
    let port = RunLoop.Port<Int> { _, _ in }
    let source = RunLoop.Source { _ in }
    TestThread {
      kept.value = RunLoop.current
      RunLoop.current.add(port, to: .default)
      RunLoop.current.add(source, to: .default)
    }.join()
    let loop = kept.value!
    #expect(loop.perform(in: .default) {} == false)
    #expect(loop.perform(in: [.default, .common]) {} == false)
    #expect(loop.add(RunLoop.Timer(after: .zero) { _ in }, to: .default) == false)
    #expect(port.send(1) == .closed)
    #expect(loop.stop() == false)
    let pipe = Pipe()
    #expect(throws: RunLoop.DescriptorError.loopEnded) {
      try loop.add(RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }, to: .default)
    }
    // Nothing to tell, and nothing that could happen: it must only do no harm.
    source.signal()
    source.invalidate()
    loop.wakeUp()
  }

  @Test
  func `M44: a timer that had left its modes before the end says no, whoever has the thread's place now`() {
    let timer = RunLoop.Timer(after: .seconds(1000)) { _ in }
    TestThread {
      RunLoop.current.add(timer, to: .default)
      RunLoop.current.remove(timer, from: .default)
    }.join()
    let answers = Record<Bool>()
    // Very likely with the control block of the thread that has gone.
    TestThread { answers.add(timer.setFireDate(.now)) }.join()
    #expect(answers.all == [false])
    #expect(timer.setFireDate(.now) == false)
  }

  @Test func `M50: a sleep without anything to do has no wake-up`() throws {
    try CountingPoller.withLoop { loop, poller in
      loop.run(in: .default, for: .milliseconds(30), whenEmpty: .wait)
      let sleeps = poller.sleepCount
      #expect(CountingPoller.sleepsOfOneWait.contains(sleeps))
      #expect(poller.waitSetsMade == 0, "no descriptors are needed to sleep")
      let pipe = Pipe()
      try loop.add(RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }, to: .default)
      loop.run(in: .default, for: .milliseconds(30))
      #expect(CountingPoller.sleepsOfOneWait.contains(poller.sleepCount - sleeps))
    }
  }

  @Test func `M50: a ring that another mode's wait set still shows makes no pass`() throws {
    try CountingPoller.withLoop { loop, poller in
      let pipe = Pipe()
      try loop.add(RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }, to: .common)
      for mode in [RunLoop.Mode.default, .tracking] { loop.run(in: mode, for: .zero) }
      let passes = Record<Int>()
      // Rings while it sleeps in one mode: the bell's edge stays in the other mode's set.
      // Only a loop that has announced its sleep is rung.
      let token = RunLoop.Token()
      let ringer = TestThread {
        while poller.sleepCount == 0 { sched_yield() }
        token.signal()
      }
      loop.run(until: token)
      ringer.join()
      loop.add(RunLoop.Observer(.beforeTimers) { _, _ in passes.add(1) }, to: .common)
      loop.run(in: .tracking, for: .milliseconds(20))
      #expect(passes.count == 1)
    }
  }
}
