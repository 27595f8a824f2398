@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct TimerToleranceTests {
  @Test func `M36: fifty neighbours in 20 ms with a tolerance of 100 ms share at most two wake-ups`() {
    let virtual = VirtualRunLoop()
    let fired = Record<Duration>()
    let begin = virtual.now
    for number in 0..<50 {
      let date = begin.advanced(by: .microseconds(400 * number))
      let timer = RunLoop.Timer(at: date, tolerance: .milliseconds(100)) { _ in
        fired.add(date.duration(to: virtual.now))
      }
      virtual.loop.add(timer, to: number.isMultiple(of: 2) ? .default : .common)
    }
    virtual.loop.run()
    #expect(fired.count == 50)
    #expect(fired.all.allSatisfy { $0 >= .zero && $0 <= .milliseconds(100) })
    #expect(virtual.sleepCount <= 2)
  }

  @Test
  func `M36: a timer fires within its tolerance, with whatever wakes the loop meanwhile, and never before`() {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    let fired = Record<Duration>()
    let late = RunLoop.Timer(after: .milliseconds(10), tolerance: .milliseconds(5)) { _ in
      fired.add(begin.duration(to: virtual.now))
    }
    virtual.loop.add(late, to: .default)
    virtual.loop.run()
    #expect(fired.all == [.milliseconds(15)], "alone, it waits as long as it may")

    fired.clear()
    let again = virtual.now
    let early = RunLoop.Timer(after: .milliseconds(10), tolerance: .milliseconds(5)) { _ in
      fired.add(again.duration(to: virtual.now))
    }
    virtual.loop.add(early, to: .default)
    virtual.at(.milliseconds(9)) { virtual.loop.wakeUp() }
    virtual.at(.milliseconds(12)) { virtual.loop.wakeUp() }
    virtual.loop.run()
    #expect(fired.all == [.milliseconds(12)])
  }

  @Test func `M36: an exact timer is not late for the sake of a tolerant one, and takes it along`() {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    let fired = Record<String>()
    @Sendable func note(_ name: String) -> @Sendable (RunLoop.Timer) -> Void {
      { _ in fired.add("\(name) \(begin.duration(to: virtual.now) / .milliseconds(1))") }
    }
    virtual.loop.add(RunLoop.Timer(after: .milliseconds(6), handler: note("exact")), to: .default)
    virtual.loop.add(
      RunLoop.Timer(after: .milliseconds(5), tolerance: .seconds(1), handler: note("tolerant")), to: .default)
    virtual.loop.add(
      RunLoop.Timer(after: .milliseconds(7), tolerance: .milliseconds(2), handler: note("later")),
      to: .default)
    virtual.loop.run()
    #expect(fired.all == ["tolerant 6.0", "exact 6.0", "later 9.0"])
  }

  @Test func `M36: a repeating timer's tolerance is at most half its interval, and its grid does not drift`()
  {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    let fired = Record<Duration>()
    let timer = RunLoop.Timer(every: .milliseconds(10), tolerance: .seconds(1)) { timer in
      fired.add(begin.duration(to: virtual.now))
      if fired.count == 4 { timer.invalidate() }
    }
    #expect(timer.tolerance == .milliseconds(5))
    virtual.loop.add(timer, to: .default)
    virtual.loop.run()
    #expect(fired.all == [15, 25, 35, 45].map { .milliseconds($0) })
  }

  @Test func `M36: a tolerance that is set later holds for the date that is armed`() {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    let fired = Record<Duration>()
    let timer = RunLoop.Timer(after: .milliseconds(10)) { _ in fired.add(begin.duration(to: virtual.now)) }
    virtual.loop.add(timer, to: .default)
    virtual.loop.add(timer, to: "other")
    timer.tolerance = .milliseconds(3)
    #expect(timer.tolerance == .milliseconds(3))
    #expect(virtual.loop.nextTimerDate(in: .default) == begin.advanced(by: .milliseconds(13)))
    virtual.at(.milliseconds(2)) { timer.tolerance = .milliseconds(1) }
    virtual.loop.run()
    #expect(fired.all == [.milliseconds(11)])
    timer.tolerance = .milliseconds(9)
    #expect(virtual.loop.nextTimerDate(in: .default) == nil, "it has ended")
  }

  @Test func `M36: taking a timer with a tolerance out, or moving it, leaves no wake-up behind`() {
    let virtual = VirtualRunLoop()
    let timer = RunLoop.Timer(rearmable: (), tolerance: .milliseconds(50)) { _ in Issue.record("fired") }
    virtual.loop.add(timer, to: .default)
    timer.setFireDate(virtual.now.advanced(by: .milliseconds(10)))
    timer.setFireDate(virtual.now.advanced(by: .seconds(10)))
    #expect(virtual.loop.nextTimerDate(in: .default) == virtual.now.advanced(by: .milliseconds(10_050)))
    timer.setFireDate(nil)
    #expect(virtual.loop.nextTimerDate(in: .default) == nil)
    timer.setFireDate(virtual.now.advanced(by: .milliseconds(10)))
    virtual.loop.remove(timer, from: .default)
    #expect(virtual.loop.nextTimerDate(in: .default) == nil)
    #expect(virtual.loop.run().reason == .finished)
  }

  /// A tolerance must change when timers fire, and nothing else: a sorted list is the model.
  @Test(arguments: 0..<6) func `M36: random tolerant and exact timers each fire in their window, in order`(
    round: Int
  ) {
    var random = SeededRandom(seed: round < 3 ? UInt64(round) : nil)
    let virtual = VirtualRunLoop()
    let fired = Record<(date: RunLoop.Instant, at: RunLoop.Instant)>()
    var windows: [(RunLoop.Instant, RunLoop.Instant)] = []
    for _ in 0..<300 {
      let date = virtual.now.advanced(by: .microseconds(Int.random(in: 0...5_000_000, using: &random)))
      let tolerance = Duration.microseconds(
        Bool.random(using: &random) ? 0 : Int.random(in: 0...1_000_000, using: &random))
      let timer = RunLoop.Timer(rearmable: (), tolerance: tolerance) { _ in fired.add((date, virtual.now)) }
      virtual.loop.add(timer, to: Bool.random(using: &random) ? .common : .default)
      timer.setFireDate(virtual.now.advanced(by: .seconds(Int.random(in: 0...9, using: &random))))
      timer.setFireDate(date)
      windows.append((date, date.advanced(by: tolerance)))
    }
    virtual.loop.run(in: .default, for: .seconds(20))
    let all = fired.all
    #expect(all.map(\.date).sorted() == windows.map(\.0).sorted(), "seed \(random.seed)")
    for (date, at) in all {
      let mayBe = windows.contains { $0.0 == date && at >= date && at <= $0.1 }
      #expect(mayBe, "seed \(random.seed): \(date) fired at \(at)")
    }
    for (earlier, later) in zip(all, all.dropFirst()) where earlier.at == later.at {
      #expect(earlier.date <= later.date, "seed \(random.seed)")
    }
  }
}
