import Mainspring
import MainspringTesting
import Testing

/// A loop that looks for work before it sleeps does what one does that sleeps, and sooner.
@Suite struct SpinningTests {
  private func makeLoop() -> VirtualRunLoop {
    let virtual = VirtualRunLoop()
    virtual.loop.spinLimit = .microseconds(30)
    return virtual
  }

  /// What another thread may want of a loop.
  enum Errand: CaseIterable, Sendable { case block, message, signal, timer, stop, wake, token }

  @Test(arguments: Errand.allCases)
  func `M50: what comes while the loop looks is done at once, and the loop has not slept`(_ errand: Errand) {
    let virtual = makeLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let port = RunLoop.Port<Int> { _, _ in loop.stop() }
    let source = RunLoop.Source { _ in loop.stop() }
    let woken = RunLoop.Observer(.afterWaiting) { _, _ in if errand == .wake { loop.stop() } }
    for item: RunLoop.Item in [port, source, woken] { loop.add(item, to: .default) }
    let token = RunLoop.Token()
    virtual.at(.microseconds(10)) {
      switch errand {
      case .block: loop.perform(in: .default) { loop.stop() }
      case .message: port.send(1)
      case .signal:
        source.signal()
        loop.wakeUp()
      case .timer: loop.add(RunLoop.Timer(after: .zero) { _ in loop.stop() }, to: .default)
      case .stop: loop.stop()
      case .wake: loop.wakeUp()
      case .token: token.signal()
      }
    }
    if errand == .token { loop.run(until: token) } else { loop.run(in: .default) }
    #expect(begin.duration(to: virtual.now) == .microseconds(10))
    #expect(virtual.sleepCount == 0)
    virtual.end()
  }

  @Test func `M50: a timer ends the look at its date`() {
    let virtual = makeLoop()
    let begin = virtual.now
    let seen = Record<Duration>()
    for delay in [20, 100] {
      virtual.loop.add(
        RunLoop.Timer(after: .microseconds(delay)) { _ in seen.add(begin.duration(to: virtual.now)) },
        to: .default)
    }
    virtual.loop.run(in: .default)
    #expect(seen.all == [.microseconds(20), .microseconds(100)])
    #expect(virtual.sleepCount == 1)
    virtual.end()
  }

  @Test(arguments: [RunLoop.TimerClock.boot, .wall])
  func `M50: nor is a timer of another clock late for a look`(clock: RunLoop.TimerClock) {
    let virtual = makeLoop()
    let begin = virtual.now
    let seen = Record<Duration>()
    virtual.loop.add(
      RunLoop.Timer(after: .microseconds(20), on: clock) { _ in seen.add(begin.duration(to: virtual.now)) },
      to: .default)
    virtual.loop.run(in: .default)
    #expect(seen.all == [.microseconds(20)])
    #expect(virtual.poller.spinCount == 1)
    virtual.end()
  }

  @Test func `M50: looks that find nothing are given up, and begin again where they pay`() {
    let virtual = makeLoop()
    let loop = virtual.loop
    loop.add(RunLoop.Timer(every: .milliseconds(1)) { _ in }, to: .default)
    loop.run(in: .default, for: .seconds(10))
    #expect(virtual.sleepCount > 9_900)
    #expect((1...100).contains(virtual.poller.spinCount))

    let (looksBefore, sleepsBefore) = (virtual.poller.spinCount, virtual.sleepCount)
    answer(1000, in: virtual)
    loop.run(in: .default)
    #expect(virtual.poller.spinCount - looksBefore > 800)
    #expect(virtual.sleepCount - sleepsBefore < 200)
    virtual.end()
  }

  /// Lets a block come ten microseconds after the one before has run, so many times, and then a stop.
  private func answer(_ count: Int, in virtual: VirtualRunLoop) {
    virtual.at(.microseconds(10)) {
      virtual.loop.perform(in: .default) {
        if count == 0 { virtual.loop.stop() } else { answer(count - 1, in: virtual) }
      }
    }
  }

  @Test func `M50: a loop does not look while who wakes it runs on its processor`() {
    let virtual = makeLoop()
    virtual.poller.isRungFromHere = true
    // Not to be found by the first look.
    virtual.at(.milliseconds(1)) { virtual.loop.perform(in: .default) { answer(1000, in: virtual) } }
    virtual.loop.run(in: .default, whenEmpty: .wait)
    #expect((1...8).contains(virtual.poller.spinCount))
    #expect(virtual.sleepCount > 990)
    virtual.end()
  }

  @Test func `M50: a thread with one processor does not look`() {
    let virtual = makeLoop()
    virtual.poller.hasSeveralProcessors = false
    answer(100, in: virtual)
    virtual.loop.run(in: .default, whenEmpty: .wait)
    #expect(virtual.poller.spinCount == 0)
    #expect(virtual.sleepCount > 100)
    // Which is a question to the kernel.
    #expect((1...10).contains(virtual.poller.processorQuestions))
    virtual.end()
  }

  @Test
  func `M3, M50: descriptors are looked at after a look that found work, and after one that found none`()
    throws
  {
    let virtual = makeLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let seen = Record<String>()
    let note: @Sendable (String) -> Void = { seen.add("\($0) after \(begin.duration(to: virtual.now))") }
    try loop.add(
      RunLoop.DescriptorSource(7) { _, _ in
        note("descriptor")
        virtual.setReadiness([], of: 7)
      }, to: .default)
    virtual.at(.microseconds(5)) { virtual.setReadiness(.read, of: 7) }
    virtual.at(.microseconds(10)) { loop.perform(in: .default) { note("block") } }
    virtual.at(.microseconds(20)) { virtual.setReadiness(.read, of: 7) }
    loop.run(in: .default, for: .microseconds(60))
    #expect(
      seen.all == [
        "descriptor after 1e-05 seconds", "block after 1e-05 seconds", "descriptor after 4e-05 seconds",
      ])
    virtual.end()
  }

  @Test func `M50: two loops that look while the other answers lose nothing`() {
    let hosts = (0..<2).map { _ in LoopHost { $0.spinLimit = .microseconds(200) } }
    let (done, seen) = (Gate(), Record<Int>())
    @Sendable func answer(_ number: Int) {
      hosts[number % 2].loop.perform(in: .default) {
        seen.add(number)
        if number == 5000 { done.open() } else { answer(number + 1) }
      }
    }
    answer(0)
    done.pass()
    #expect(seen.all == Array(0...5000))
    for host in hosts { host.end() }
  }

  @Test func `M50: a loop does not look unless it is asked to`() {
    let virtual = VirtualRunLoop()
    #expect(virtual.loop.spinLimit == .zero)
    virtual.loop.spinLimit = .microseconds(30)
    #expect(virtual.loop.spinLimit == .microseconds(30))
    virtual.loop.spinLimit = .zero
    virtual.at(.microseconds(10)) { virtual.loop.stop() }
    virtual.loop.run(in: .default, whenEmpty: .wait)
    #expect(virtual.poller.spinCount == 0)
    virtual.end()
  }

  @Test func `M50: how long a loop may look has bounds`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let virtual = VirtualRunLoop()
      virtual.loop.spinLimit = .seconds(1)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("not for 1.0 seconds"))
  }
}
