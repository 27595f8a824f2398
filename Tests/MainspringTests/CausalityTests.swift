import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

/// What another thread did before, by whatever the threads share, comes before what the loop's thread does now.
@Suite struct CausalityTests {
  @Test func `M26: removing on the loop's thread wins over an adding sent before`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let timer = RunLoop.Timer(after: .zero) { _ in seen.add("fired") }
    loop.perform(in: .default) {
      loop.actingFromElsewhere { _ = loop.add(timer, to: .default) }
      loop.remove(timer, from: .default)
    }
    loop.run(in: .default, for: .seconds(1), whenEmpty: .wait)
    #expect(seen.isEmpty)
    #expect(!loop.contains(timer, in: .default))
  }

  @Test func `M26: adding on the loop's thread wins over a removal sent before`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let timer = RunLoop.Timer(after: .zero) { _ in seen.add("fired") }
    loop.add(timer, to: "elsewhere")
    loop.perform(in: .default) {
      loop.actingFromElsewhere { loop.remove(timer, from: .default) }
      loop.add(timer, to: .default)
    }
    loop.run(in: .default, for: .seconds(1), whenEmpty: .wait)
    #expect(seen.all == ["fired"])
  }

  @Test func `M34: a date set on the loop's own thread wins over one that another thread really sent before`()
  {
    let fires = Record<Int>()
    TestThread {
      let loop = RunLoop.current
      let timer = RunLoop.Timer(rearmable: ()) { _ in fires.add(1) }
      loop.add(timer, to: .default)
      TestThread { timer.setFireDate(.now) }.join()
      timer.setFireDate(nil)
      loop.turn()
      // With no date of others on its way any more the loop's own is set at once.
      timer.setFireDate(.now)
      loop.turn()
    }.join()
    #expect(fires.count == 1)
  }

  @Test(arguments: [true, false])
  func `M34: a date set on the loop's thread wins over one sent before`(isMember: Bool) {
    let virtual = VirtualRunLoop()
    // The timer stays in the loop, and its handler refers to the virtual loop.
    defer { virtual.end() }
    let loop = virtual.loop
    let seen = Record<Duration>()
    let begin = virtual.now
    let timer = RunLoop.Timer(rearmable: ()) { _ in seen.add(begin.duration(to: virtual.now)) }
    loop.add(timer, to: .default)
    loop.perform(in: .default) {
      if !isMember { loop.remove(timer, from: .default) }
      loop.actingFromElsewhere { _ = timer.setFireDate(begin.advanced(by: .seconds(5))) }
      timer.setFireDate(begin.advanced(by: .seconds(2)))
      if !isMember { loop.add(timer, to: .default) }
    }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    #expect(seen.all == [.seconds(2)])
    loop.perform(in: .default) {
      loop.actingFromElsewhere { _ = timer.setFireDate(virtual.now) }
      timer.setFireDate(nil)
    }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    #expect(seen.count == 1)
  }

  @Test func `M9: what a thread sends after an update is made after it`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let begin = virtual.now
    let (moved, added) = (RunLoop.Source { _ in }, RunLoop.Source { _ in })
    let timer = RunLoop.Timer(rearmable: ()) { _ in seen.add("timer at \(begin.duration(to: virtual.now))") }
    loop.add(timer, to: .default)
    for source in [moved, added] { loop.add(source, to: "other") }
    virtual.at(.seconds(1)) {
      loop.update { loop in
        loop.add(moved, to: .default)
        loop.remove(added, from: .default)
        timer.setFireDate(begin.advanced(by: .seconds(5)))
        loop.perform(in: .default) { seen.add("block of the update") }
      }
      loop.remove(moved, from: .default)
      loop.add(added, to: .default)
      timer.setFireDate(begin.advanced(by: .seconds(2)))
      loop.perform(in: .default) { seen.add("block") }
    }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    #expect(seen.all == ["block of the update", "block", "timer at 2.0 seconds"])
    #expect(!loop.contains(moved, in: .default))
    #expect(loop.contains(added, in: .default))
    virtual.end()
  }
}
