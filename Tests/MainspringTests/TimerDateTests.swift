import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

@Suite struct TimerDateTests {
  /// The times at which a timer fires, in ns since the start.
  private func fires(
    _ virtual: VirtualRunLoop, for limit: Duration,
    make: (@escaping @Sendable (RunLoop.Timer) -> Void) -> RunLoop.Timer,
    doing work: @escaping @Sendable (RunLoop.Timer, Int) -> Void = { _, _ in }
  ) -> [Duration] {
    let begin = virtual.now
    let times = Record<Duration>()
    let timer = make { timer in
      times.add(begin.duration(to: virtual.now))
      work(timer, times.count)
    }
    virtual.loop.add(timer, to: .default)
    virtual.loop.run(in: .default, for: limit, whenEmpty: .wait)
    return times.all
  }

  private func seconds(_ numbers: Int...) -> [Duration] { numbers.map { .seconds($0) } }

  @Test func `M33: a repeating timer keeps its grid whatever its callouts take`() {
    let virtual = VirtualRunLoop()
    let times = fires(virtual, for: .seconds(5), make: { .init(every: .seconds(1), handler: $0) }) {
      _, count in
      virtual.spend(.milliseconds(100 * count))
    }
    #expect(times == seconds(1, 2, 3, 4, 5))
  }

  @Test func `M33: fires that were missed become one, on the grid (CF 61)`() {
    let virtual = VirtualRunLoop()
    let times = fires(virtual, for: .seconds(9), make: { .init(every: .seconds(1), handler: $0) }) {
      _, count in
      if count == 2 { virtual.spend(.milliseconds(3500)) }
    }
    #expect(times == seconds(1, 2, 6, 7, 8, 9))
  }

  @Test func `M33: the next date is later than the end of the callout, also by nothing`() {
    let virtual = VirtualRunLoop()
    let times = fires(virtual, for: .seconds(5), make: { .init(every: .seconds(1), handler: $0) }) {
      _, count in
      if count == 1 { virtual.spend(.seconds(2)) }
    }
    // The callout ends at 3 exactly: 3 is not later.
    #expect(times == seconds(1, 4, 5))
  }

  @Test func `M33: an hour behind at one nanosecond is caught up by division`() {
    let virtual = VirtualRunLoop()
    let times = fires(virtual, for: .seconds(3600), make: { .init(every: .nanoseconds(1), handler: $0) }) {
      _, _ in
      virtual.spend(.seconds(1800))
    }
    #expect(times.count == 2)
  }

  @Test func `M33: a million beats do not drift`() {
    let virtual = VirtualRunLoop()
    let beats = Record<Bool>()
    let begin = virtual.now
    let interval = Duration.nanoseconds(333_333)
    virtual.loop.add(
      RunLoop.Timer(every: interval) { timer in
        virtual.spend(.nanoseconds(100))
        if timer.fireDate == begin.advanced(by: interval * 20_000) { beats.add(true) }
      }, to: .default)
    virtual.loop.run(until: begin.advanced(by: interval * 20_001))
    #expect(beats.count == 1)
  }

  @Test func `M34: a date set in the callout is taken, and the grid moves to it (CF 62)`() {
    let virtual = VirtualRunLoop()
    let times = fires(virtual, for: .seconds(7), make: { .init(every: .seconds(2), handler: $0) }) {
      timer, count in
      if count == 1 { timer.setFireDate(virtual.now.advanced(by: .seconds(1))) }
    }
    #expect(times == seconds(2, 3, 5, 7))
  }

  @Test func `M34: a date before the scheduled one is taken, too`() {
    let virtual = VirtualRunLoop()
    virtual.loop.perform(in: .default) {}
    let times = fires(virtual, for: .seconds(9), make: { .init(every: .seconds(4), handler: $0) }) {
      timer, count in
      if count == 1 {
        virtual.loop.perform(in: .default) { timer.setFireDate(virtual.now.advanced(by: .seconds(1))) }
      }
    }
    #expect(times == seconds(4, 5, 9))
  }

  @Test func `M34: a past date means now: an immediate second fire, and the grid begins there (CF 62, 63)`() {
    let virtual = VirtualRunLoop()
    let times = fires(virtual, for: .seconds(9), make: { .init(every: .seconds(4), handler: $0) }) {
      timer, count in
      if count == 1 {
        virtual.spend(.seconds(1))
        timer.setFireDate(RunLoop.Instant(nanoseconds: 7))
      }
    }
    #expect(times == seconds(4, 5, 9))
  }

  @Test func `M34: the grid of a first date in the past counts from the making (CF 63)`() {
    let virtual = VirtualRunLoop()
    let past = virtual.now.advanced(by: .milliseconds(-1700))
    let times = fires(
      virtual, for: .seconds(2), make: { .init(every: .seconds(1), first: past, handler: $0) })
    #expect(times == seconds(0, 1, 2))
  }

  @Test
  func `M34: the date read inside the callout is the old one, afterwards the next, of an invalid one none`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let dates = Record<RunLoop.Instant?>()
    let begin = virtual.now
    let timer = RunLoop.Timer(every: .seconds(1)) { timer in dates.add(timer.fireDate) }
    loop.add(timer, to: .default)
    loop.run(in: .default, for: .seconds(1))
    dates.add(timer.fireDate)
    timer.invalidate()
    dates.add(timer.fireDate)
    #expect(dates.all == [begin.advanced(by: .seconds(1)), begin.advanced(by: .seconds(2)), nil])
  }

  @Test func `M34: a re-armable timer stays valid, unarmed, after it fired`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let times = Record<Duration>()
    let debounce = RunLoop.Timer(rearmable: ()) { _ in times.add(begin.duration(to: virtual.now)) }
    loop.add(debounce, to: .default)
    #expect(debounce.fireDate == nil)
    for second in 1...3 {
      virtual.at(.seconds(second)) { debounce.setFireDate(virtual.now.advanced(by: .seconds(2))) }
    }
    virtual.at(.seconds(10)) { debounce.setFireDate(virtual.now.advanced(by: .seconds(2))) }
    loop.run(in: .default, for: .seconds(20), whenEmpty: .wait)
    #expect(times.all == seconds(5, 12))
    #expect(debounce.isValid)
    #expect(debounce.fireDate == nil)
  }

  @Test func `M34: a plain one-shot is invalidated after its callout`() {
    let virtual = VirtualRunLoop()
    let timer = RunLoop.Timer(after: .seconds(1)) { #expect($0.isValid) }
    virtual.loop.add(timer, to: .default)
    virtual.loop.run(in: .default)
    #expect(!timer.isValid)
  }

  @Test func `M34: a plain one-shot whose callout set a date fires again (CF 57)`() {
    let virtual = VirtualRunLoop()
    let times = fires(virtual, for: .seconds(9), make: { .init(after: .seconds(1), handler: $0) }) {
      timer, count in
      if count < 3 { timer.setFireDate(virtual.now.advanced(by: .seconds(2))) }
    }
    #expect(times == seconds(1, 3, 5))
  }

  @Test func `M34: disarming in the callout is not setting a date: a one-shot ends, others stay`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let once = RunLoop.Timer(after: .seconds(1)) { $0.setFireDate(nil) }
    let repeating = RunLoop.Timer(every: .seconds(1)) { $0.setFireDate(nil) }
    for timer in [once, repeating] { loop.add(timer, to: .default) }
    #expect(loop.run(in: .default).reason == .finished)
    #expect(!once.isValid)
    #expect(repeating.isValid)
    #expect(repeating.fireDate == nil)
  }

  @Test func `M34: setting a date on an invalid timer, or one of an ended loop, says no`() {
    let virtual = VirtualRunLoop()
    let timers = (0..<3).map { _ in RunLoop.Timer(after: .seconds(1)) { _ in } }
    #expect(timers[0].setFireDate(virtual.now))
    timers[0].invalidate()
    #expect(timers[0].setFireDate(virtual.now) == false)
    virtual.loop.add(timers[1], to: .default)
    virtual.loop.add(timers[2], to: .default)
    virtual.loop.remove(timers[2], from: .default)
    virtual.end()
    #expect(timers[1].setFireDate(virtual.now) == false)
    #expect(timers[2].setFireDate(virtual.now) == false)
  }

  @Test func `M34: setting a date from another thread ends a sleep that would last too long`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let times = Record<Duration>()
    let timer = RunLoop.Timer(after: .seconds(100)) { _ in times.add(begin.duration(to: virtual.now)) }
    loop.add(timer, to: .default)
    virtual.at(.seconds(1)) { timer.setFireDate(begin.advanced(by: .seconds(2))) }
    loop.run(in: .default)
    #expect(times.all == seconds(2))
  }

  @Test func `M35: the first fire is one interval after the making; adding does not move it (CF 86)`() {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    let times = Record<Duration>()
    let timer = RunLoop.Timer(every: .seconds(10)) { _ in times.add(begin.duration(to: virtual.now)) }
    virtual.spend(.seconds(4))
    virtual.loop.add(timer, to: .default)
    virtual.loop.run(in: .default, for: .seconds(20))
    #expect(times.all == seconds(10, 20))
  }

  @Test(arguments: [Duration.zero, .seconds(-3), Duration(secondsComponent: 0, attosecondsComponent: 1)])
  func `M35: an interval below one nanosecond is one nanosecond`(interval: Duration) {
    let virtual = VirtualRunLoop()
    #expect(RunLoop.Timer(every: interval) { _ in }.repeatInterval == .nanoseconds(1))
    let times = fires(virtual, for: .nanoseconds(3), make: { .init(every: interval, handler: $0) })
    #expect(times == [.nanoseconds(1), .nanoseconds(2), .nanoseconds(3)])
  }

  @Test func `M37: a moment is what the monotonic clock shows, and comes of what others read from it`() {
    let reading = Duration.nanoseconds(Int64(MonotonicClock.now()))
    let read = RunLoop.Instant(monotonic: reading)
    #expect(read <= .now && read.monotonicReading == reading)
    #expect(RunLoop.Instant(monotonic: .seconds(-1)).monotonicReading == .zero)
    #expect(RunLoop.Instant(monotonic: .seconds(Int64.max)).monotonicReading == .nanoseconds(Int64.max))
  }
}
