import Mainspring
import MainspringTesting
import Testing

/// What was done by an observer of beforeWaiting is not slept over.
@Suite struct WaitingTests {
  /// Runs with something done once at beforeWaiting, and gives the activities and callouts from there on.
  private func phases(
    _ virtual: VirtualRunLoop, limit: Duration? = .seconds(5), whenEmpty: RunLoop.EmptyPolicy = .wait,
    doing work: @escaping @Sendable (RunLoop) -> Void
  ) -> [String] {
    let loop = virtual.loop
    loop.add(RunLoop.Observer(.beforeWaiting, repeats: false) { _, _ in work(loop) }, to: .default)
    virtual.at(.seconds(1)) { loop.stop(.all) }
    loop.run(in: .default, for: limit, whenEmpty: whenEmpty)
    let all = virtual.trace.entries.filter { $0.nesting == 1 && $0.phase != "beforeSources" }.map(\.phase)
    // From the activity itself (the observer's own entry follows it).
    return Array(all.drop { $0 != "beforeWaiting" }.dropFirst(2))
  }

  private let slept = ["waiting", "afterWaiting", "exit"]

  @Test func `M4: the activities pair round a sleep`() {
    #expect(phases(VirtualRunLoop()) { _ in } == slept)
  }

  @Test func `M4: a block queued at beforeWaiting is performed without a sleep before`() {
    #expect(
      phases(VirtualRunLoop()) { $0.perform(in: .default) {} }
        == ["afterWaiting", "block", "beforeTimers", "beforeWaiting"] + slept)
  }

  @Test func `M4: a source signalled at beforeWaiting is performed without a sleep before`() {
    let virtual = VirtualRunLoop()
    let source = RunLoop.Source { _ in }
    virtual.loop.add(source, to: .default)
    #expect(
      phases(virtual) { _ in source.signal() }
        == ["afterWaiting", "beforeTimers", "source", "beforeTimers", "beforeWaiting"] + slept)
  }

  @Test func `M4: a message sent at beforeWaiting is delivered without a sleep before`() {
    let virtual = VirtualRunLoop()
    let port = RunLoop.Port<Int> { _, _ in }
    virtual.loop.add(port, to: .default)
    #expect(
      phases(virtual) { _ in port.send(1) }
        == ["afterWaiting", "port", "beforeTimers", "beforeWaiting"] + slept)
  }

  @Test func `M4: a stop at beforeWaiting ends the run without a sleep`() {
    let virtual = VirtualRunLoop()
    #expect(phases(virtual) { $0.stop() } == ["afterWaiting", "exit"])
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M4: a deadline that passes at beforeWaiting ends the run without a sleep`() {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    #expect(
      phases(virtual, limit: .milliseconds(10)) { _ in virtual.spend(.milliseconds(20)) }
        == ["afterWaiting", "exit"])
    #expect(begin.duration(to: virtual.now) == .milliseconds(20))
    #expect(virtual.passCount == 1)
  }

  @Test func `M4: a timer that is due by the time of beforeWaiting fires without a sleep before`() {
    let virtual = VirtualRunLoop()
    virtual.loop.add(RunLoop.Timer(after: .milliseconds(10)) { _ in }, to: .default)
    #expect(
      phases(virtual) { _ in virtual.spend(.milliseconds(20)) }
        == ["afterWaiting", "timer", "beforeTimers", "beforeWaiting"] + slept)
  }

  @Test func `M4: emptying the mode at beforeWaiting ends the run without a sleep`() {
    let virtual = VirtualRunLoop()
    let source = RunLoop.Source { _ in }
    virtual.loop.add(source, to: .default)
    #expect(
      phases(virtual, whenEmpty: .finish) { $0.remove(source, from: .default) } == ["afterWaiting", "exit"])
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M4: a wake at beforeWaiting makes a pass without a sleep`() {
    #expect(
      phases(VirtualRunLoop()) { $0.wakeUp() }
        == ["afterWaiting", "beforeTimers", "beforeWaiting"] + slept)
  }

  @Test func `M4: what happened in a nested run at beforeWaiting is not slept over (CF 76)`() {
    // The nested run eats the wake and lets a timer fire; the outer one looks again.
    let virtual = VirtualRunLoop()
    #expect(
      phases(virtual) { loop in
        loop.wakeUp()
        loop.run(in: "inner", for: .milliseconds(1), whenEmpty: .wait)
      } == ["afterWaiting", "beforeTimers", "beforeWaiting"] + slept)
  }

  @Test func `M4: the limit of the outer run holds after a nested run at beforeWaiting (CF 76)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.add(
      RunLoop.Observer(.beforeWaiting, repeats: false) { _, _ in
        loop.run(in: "inner", for: .milliseconds(30), whenEmpty: .wait)
      }, to: .default)
    let begin = virtual.now
    #expect(loop.run(in: .default, for: .milliseconds(10), whenEmpty: .wait).reason == .timedOut)
    #expect(begin.duration(to: virtual.now) == .milliseconds(30))
  }

  @Test func `M4: afterWaiting comes before what the wait found is served`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.add(RunLoop.Observer(.afterWaiting) { _, _ in seen.add("afterWaiting") }, to: .default)
    loop.add(RunLoop.Timer(after: .milliseconds(1)) { _ in seen.add("timer") }, to: .default)
    loop.run(in: .default)
    #expect(seen.all == ["afterWaiting", "timer"])
  }
}
