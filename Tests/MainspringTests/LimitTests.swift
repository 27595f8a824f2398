import Mainspring
import MainspringTesting
import Testing

@Suite struct LimitTests {
  @Test(arguments: [
    Duration.seconds(Int64.max), .seconds(Int64.max / 1_000_000_000 + 1), .nanoseconds(Int64.max),
    Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
  ])
  func `M10: a limit beyond what can be counted does not trap and does not end the run`(limit: Duration) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    virtual.at(.seconds(3600)) { loop.stop() }
    #expect(loop.run(in: .default, for: limit, whenEmpty: .wait).reason == .stopped)
  }

  @Test(arguments: [
    Duration.zero, .nanoseconds(-1), .seconds(Int64.min),
    Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999),
  ])
  func `M10: a limit of zero or less is one busy pass`(limit: Duration) {
    let virtual = VirtualRunLoop()
    #expect(virtual.loop.run(in: .default, for: limit, whenEmpty: .wait).reason == .timedOut)
    #expect(virtual.passCount == 1)
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M10: no limit is none`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    virtual.at(.seconds(1_000_000_000)) { loop.stop() }
    #expect(loop.run(in: .default, whenEmpty: .wait).reason == .stopped)
    #expect(virtual.sleepCount == 1)
  }

  @Test(arguments: [1, 999, 1_000_001, 123_456_789_123])
  func `M10: a limit is held to the nanosecond`(nanoseconds: Int64) {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    virtual.loop.run(in: .default, for: .nanoseconds(nanoseconds), whenEmpty: .wait)
    #expect(begin.duration(to: virtual.now) == .nanoseconds(nanoseconds))
  }

  @Test func `M10: less than a nanosecond is one, and not zero`() {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    let limit = Duration(secondsComponent: 0, attosecondsComponent: 1)
    virtual.loop.run(in: .default, for: limit, whenEmpty: .wait)
    #expect(begin.duration(to: virtual.now) == .nanoseconds(1))
  }

  @Test func `M10: a limit counts from the start of the run, whatever happens meanwhile`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    for delay in 1...5 { virtual.at(.milliseconds(delay)) { loop.wakeUp() } }
    loop.run(in: .default, for: .milliseconds(7), whenEmpty: .wait)
    #expect(begin.duration(to: virtual.now) == .milliseconds(7))
    #expect(virtual.passCount == 6)
  }

  @Test func `M10: instants saturate at both ends`() {
    let late = RunLoop.Instant.distantFuture
    #expect(late.advanced(by: .seconds(1)) == late)
    #expect(late.advanced(by: .seconds(Int64.max)) == late)
    let early = RunLoop.Instant(nanoseconds: 5)
    #expect(early.advanced(by: .nanoseconds(-6)) == RunLoop.Instant(nanoseconds: 0))
    #expect(early.advanced(by: .seconds(Int64.min)) == RunLoop.Instant(nanoseconds: 0))
    #expect(early.advanced(by: .nanoseconds(-5)) == RunLoop.Instant(nanoseconds: 0))
    #expect(early.advanced(by: .nanoseconds(7)) == RunLoop.Instant(nanoseconds: 12))
    #expect(early.duration(to: late) == .nanoseconds(Int64.max))
    #expect(late.duration(to: early) == .zero - .nanoseconds(Int64.max))
    #expect(early.duration(to: RunLoop.Instant(nanoseconds: 3)) == .nanoseconds(-2))
    #expect(early < late)
  }

  @Test(
    arguments: [
      (.seconds(2), 2_000_000_000), (.nanoseconds(-7), -7), (.seconds(Int64.max), .max),
      (.seconds(Int64.min), .min), (.nanoseconds(Int64.max), .max),
      (.nanoseconds(Int64.max) + .nanoseconds(1), .max), (.nanoseconds(Int64.min) - .nanoseconds(1), .min),
      (Duration(secondsComponent: 1, attosecondsComponent: 1), 1_000_000_001),
      (Duration(secondsComponent: -1, attosecondsComponent: -1), -1_000_000_001),
      (Duration(secondsComponent: 100, attosecondsComponent: 1), 100_000_000_001),
      (Duration(secondsComponent: -100, attosecondsComponent: -1), -100_000_000_001),
      (.zero, 0),
    ] as [(Duration, Int64)])
  func `M10: whole nanoseconds are rounded away from zero and saturate`(duration: Duration, expected: Int64) {
    #expect(duration.saturatingNanoseconds == expected)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .nanoseconds(Int64.max)])
  func `M10: no duration makes a timer trap`(delay: Duration) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let fired = Record<Int>()
    loop.add(RunLoop.Timer(after: delay) { _ in fired.add(1) }, to: .default)
    loop.add(RunLoop.Timer(every: delay) { timer in timer.invalidate() }, to: .default)
    loop.run(in: .default, for: .seconds(1))
    #expect(fired.count == (delay < .zero ? 1 : 0))
  }

  @Test func `M10: no duration traps`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let longest = Duration(attoseconds: .max)
    let shortest = Duration(attoseconds: .min)
    loop.stop()
    #expect(loop.run(in: .default, for: longest, whenEmpty: .wait).reason == .stopped)
    #expect(loop.run(in: .default, for: shortest, whenEmpty: .wait).reason == .timedOut)
    #expect(virtual.now.advanced(by: longest) > virtual.now)
    #expect(virtual.now.advanced(by: shortest) < virtual.now)
    loop.add(RunLoop.Timer(every: longest) { _ in }, to: .default)
    loop.add(RunLoop.Timer(every: shortest) { timer in timer.invalidate() }, to: .default)
    loop.add(RunLoop.Timer(after: shortest) { _ in }, to: .default)
    loop.turn()
  }
}
