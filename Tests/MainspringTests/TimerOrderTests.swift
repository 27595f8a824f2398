import Mainspring
import MainspringTesting
import Testing

@Suite struct TimerOrderTests {
  @Test func `M32: due timers fire in fire order, equal dates in the order of arming (CF 58)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let date = virtual.now.advanced(by: .milliseconds(5))
    for name in ["e1", "e2", "e3"] {
      // In modes of both kinds: the order goes over the mode's own timers and those of the common modes.
      loop.add(RunLoop.Timer(at: date) { _ in seen.add(name) }, to: name == "e2" ? .common : .default)
    }
    let moved = RunLoop.Timer(at: .distantFuture) { _ in seen.add("moved") }
    loop.add(moved, to: .default)
    loop.add(RunLoop.Timer(after: .milliseconds(1)) { _ in seen.add("early") }, to: .common)
    loop.add(RunLoop.Timer(at: date) { _ in seen.add("e4") }, to: .default)
    moved.setFireDate(date)
    virtual.spend(.seconds(1))
    loop.turn()
    #expect(seen.all == ["early", "e1", "e2", "e3", "e4", "moved"])
  }

  @Test func `M32: a timer added or made due by a callout of the batch waits for the next pass (CF 58)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let waiting = RunLoop.Timer(after: .seconds(100)) { _ in seen.add("made due") }
    loop.add(waiting, to: .default)
    loop.add(
      RunLoop.Timer(after: .zero) { _ in
        seen.add("first")
        loop.add(RunLoop.Timer(after: .seconds(-1)) { _ in seen.add("added") }, to: .default)
        waiting.setFireDate(virtual.now)
      }, to: .default)
    loop.turn()
    #expect(seen.all == ["first"])
    loop.turn()
    #expect(seen.all == ["first", "added", "made due"])
  }

  @Test func `M32: an earlier callback can cancel or postpone a later timer of the batch (CF 59)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let date = virtual.now.advanced(by: .seconds(10))
    let cancelled = RunLoop.Timer(at: virtual.now) { _ in seen.add("cancelled") }
    let disarmed = RunLoop.Timer(at: virtual.now) { _ in seen.add("disarmed") }
    let postponed = RunLoop.Timer(at: virtual.now) { _ in seen.add("postponed") }
    loop.add(
      RunLoop.Timer(at: virtual.now) { _ in
        seen.add("first")
        cancelled.invalidate()
        disarmed.setFireDate(nil)
        postponed.setFireDate(date)
      }, to: .default)
    for timer in [cancelled, disarmed, postponed] { loop.add(timer, to: .default) }
    loop.turn()
    #expect(seen.all == ["first"])
    loop.run(in: .default)
    #expect(seen.all == ["first", "postponed"])
    #expect(virtual.now == date)
  }

  @Test func `M32: a timer is not called from within its own callout (CF 60)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.add(
      RunLoop.Timer(every: .seconds(1)) { timer in
        seen.add("begin")
        if seen.count == 1 {
          // Also not if its date is set meanwhile: that holds from the end of the callout on.
          timer.setFireDate(virtual.now)
          loop.run(in: .default, for: .seconds(5), whenEmpty: .wait)
        } else {
          timer.invalidate()
        }
        seen.add("end")
      }, to: .default)
    loop.run(in: .default)
    #expect(seen.all == ["begin", "end", "begin", "end"])
  }

  @Test func `M32: while a timer's callout runs a nested run it does not arm the wait (CF 60)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let slept = Record<Duration>()
    loop.add(
      RunLoop.Timer(every: .seconds(1)) { timer in
        let begin = virtual.now
        let sleeps = virtual.sleepCount
        loop.run(in: .default, for: .seconds(7), whenEmpty: .wait)
        slept.add(begin.duration(to: virtual.now))
        #expect(virtual.sleepCount == sleeps + 1)
        timer.invalidate()
      }, to: .default)
    loop.run(in: .default)
    #expect(slept.all == [.seconds(7)])
  }

  @Test func `M32: one date for all modes: fired in one it has fired in all (CF 66)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let fires = Record<String>()
    let timer = RunLoop.Timer(every: .seconds(1)) { _ in fires.add(loop.currentMode!.name) }
    for mode in [RunLoop.Mode.default, "a", "b"] { loop.add(timer, to: mode) }
    virtual.spend(.seconds(1))
    loop.turn(in: "a")
    loop.turn()
    loop.turn(in: "b")
    #expect(fires.all == ["a"])
    for mode in [RunLoop.Mode.default, "a", "b"] { #expect(loop.nextTimerDate(in: mode) == timer.fireDate) }
    virtual.spend(.seconds(1))
    loop.turn(in: "b")
    loop.turn(in: "a")
    #expect(fires.all == ["a", "b"])
    // Moved, it is moved in all.
    timer.setFireDate(virtual.now.advanced(by: .seconds(9)))
    for mode in [RunLoop.Mode.default, "a", "b"] { #expect(loop.nextTimerDate(in: mode) == timer.fireDate) }
  }

  @Test func `M32: an invalid timer is not added (CF 66)`() {
    let virtual = VirtualRunLoop()
    let timer = RunLoop.Timer(after: .zero) { _ in }
    timer.invalidate()
    #expect(virtual.loop.add(timer, to: .default) == false)
    #expect(virtual.loop.nextTimerDate(in: .default) == nil)
  }

  @Test func `M40: the next date of a mode is that of its first timer, common ones included`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(loop.nextTimerDate(in: .default) == nil)
    let far = RunLoop.Timer(after: .seconds(5)) { _ in }
    let near = RunLoop.Timer(after: .seconds(3)) { _ in }
    loop.add(far, to: .default)
    #expect(loop.nextTimerDate(in: .default) == far.fireDate)
    loop.add(near, to: .common)
    #expect(loop.nextTimerDate(in: .default) == near.fireDate)
    #expect(loop.nextTimerDate(in: .tracking) == near.fireDate)
    #expect(loop.nextTimerDate(in: "other") == nil)
    near.invalidate()
    #expect(loop.nextTimerDate(in: .default) == far.fireDate)
    far.setFireDate(nil)
    #expect(loop.nextTimerDate(in: .default) == nil)
    // It may lie in the past: nobody has run the mode since.
    far.setFireDate(RunLoop.Instant(nanoseconds: 5))
    #expect(loop.nextTimerDate(in: .default) == RunLoop.Instant(nanoseconds: 5))
  }
}
