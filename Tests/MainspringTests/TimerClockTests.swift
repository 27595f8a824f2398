@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct TimerClockTests {
  /// A loop, and where on the monotonic clock its timers fired, in ms since the beginning.
  private final class Stage {
    let virtual = VirtualRunLoop()
    let fired = Record<String>()
    let begin: RunLoop.Instant
    init() { begin = virtual.now }

    func note(_ name: String) -> @Sendable (RunLoop.Timer) -> Void {
      let (virtual, begin, fired) = (virtual, begin, fired)
      return { _ in fired.add("\(name) \(Int(begin.duration(to: virtual.now) / .milliseconds(1)))") }
    }
  }

  @Test func `M37: the boot clock goes on while the machine is suspended, the monotonic one stands still`() {
    let stage = Stage()
    let virtual = stage.virtual
    virtual.loop.add(RunLoop.Timer(after: .seconds(10), on: .boot, handler: stage.note("boot")), to: .default)
    virtual.loop.add(RunLoop.Timer(after: .seconds(10), handler: stage.note("monotonic")), to: .default)
    virtual.at(.seconds(3)) { virtual.suspend(for: .seconds(3600)) }
    #expect(virtual.loop.run().reason == .finished)
    #expect(stage.fired.all == ["boot 3000", "monotonic 10000"])
  }

  @Test func `M37: a wall-clock timer follows when the clock is set, forward and back`() {
    for (step, expected) in [
      (Duration.seconds(3600), "wall 4000"), (.seconds(-60), "wall 70000"), (.zero, "wall 10000"),
    ] {
      let stage = Stage()
      let virtual = stage.virtual
      let time = virtual.wallNow.advanced(by: .seconds(10))
      let timer = RunLoop.Timer(atWallTime: time, handler: stage.note("wall"))
      virtual.loop.add(timer, to: .common)
      #expect(timer.wallFireDate == time)
      virtual.at(.seconds(4)) { virtual.setWallClock(by: step) }
      #expect(virtual.loop.run().reason == .finished)
      #expect(stage.fired.all == [expected])
    }
  }

  @Test func `M37: setting the wall clock moves no limit and no other timer`() {
    let stage = Stage()
    let virtual = stage.virtual
    virtual.loop.add(RunLoop.Timer(after: .seconds(2), handler: stage.note("monotonic")), to: .default)
    virtual.loop.add(RunLoop.Timer(after: .seconds(3), on: .boot, handler: stage.note("boot")), to: .default)
    virtual.loop.add(
      RunLoop.Timer(atWallTime: virtual.wallNow.advanced(by: .seconds(20)), handler: stage.note("wall")),
      to: .default)
    virtual.at(.seconds(1)) { virtual.setWallClock(by: .seconds(-3600)) }
    let result = virtual.loop.run(in: .default, for: .seconds(5))
    #expect(result.reason == .timedOut)
    #expect(stage.begin.duration(to: virtual.now) == .seconds(5))
    #expect(stage.fired.all == ["monotonic 2000", "boot 3000"])
  }

  @Test func `M37: timers of all clocks that one look finds due fire by how long they have waited`() {
    let stage = Stage()
    let virtual = stage.virtual
    virtual.loop.add(RunLoop.Timer(after: .seconds(3), handler: stage.note("monotonic 3")), to: .default)
    virtual.loop.add(RunLoop.Timer(after: .seconds(1), handler: stage.note("monotonic 1")), to: .default)
    virtual.loop.add(
      RunLoop.Timer(after: .seconds(2), on: .boot, handler: stage.note("boot 2")), to: .default)
    virtual.loop.add(
      RunLoop.Timer(
        atWallTime: virtual.wallNow.advanced(by: .milliseconds(2500)), handler: stage.note("wall 2.5")),
      to: .common)
    virtual.spend(.seconds(5))
    virtual.loop.turn()
    #expect(
      stage.fired.all == ["monotonic 1 5000", "boot 2 5000", "wall 2.5 5000", "monotonic 3 5000"])
  }

  @Test func `M37: a daily timer keeps to the time of day, and missed days become one`() {
    let virtual = VirtualRunLoop()
    let times = Record<Duration>()
    let first = virtual.wallNow.advanced(by: .seconds(3600))
    let timer = RunLoop.Timer(every: .seconds(86_400), firstAtWallTime: first) { timer in
      times.add(.nanoseconds(Int64(virtual.wallNow.nanoseconds - first.nanoseconds)))
      if times.count == 3 { timer.invalidate() }
    }
    virtual.loop.add(timer, to: .default)
    virtual.at(.seconds(7200)) { virtual.suspend(for: .seconds(86_400 * 3)) }
    virtual.loop.run()
    #expect(times.all == [.zero, .seconds(86_400 * 3 + 3600), .seconds(86_400 * 4)])
  }

  @Test func `M37: dates of other clocks can be set and taken back, from elsewhere, too`() {
    let stage = Stage()
    let virtual = stage.virtual
    let wall = RunLoop.Timer(rearmable: (), on: .wall, handler: stage.note("wall"))
    let boot = RunLoop.Timer(rearmable: (), on: .boot, handler: stage.note("boot"))
    virtual.loop.add(wall, to: .default)
    virtual.loop.add(boot, to: .default)
    #expect(virtual.loop.run().reason == .finished, "unarmed, they keep nobody")
    wall.setFireDate(after: .seconds(1))
    boot.setFireDate(after: .seconds(1))
    boot.setFireDate(nil)
    virtual.at(.milliseconds(500)) {
      boot.setFireDate(after: .seconds(2))
      wall.setWallFireDate(virtual.wallNow.advanced(by: .milliseconds(100)))
    }
    #expect(virtual.loop.run().reason == .finished)
    #expect(stage.fired.all == ["wall 600", "boot 2500"])
  }

  @Test func `M37: a tolerance on another clock is shared as well`() {
    let stage = Stage()
    let virtual = stage.virtual
    for number in 0..<20 {
      let timer = RunLoop.Timer(
        after: .milliseconds(number), tolerance: .milliseconds(50), on: .boot,
        handler: stage.note("\(number)"))
      virtual.loop.add(timer, to: .default)
    }
    virtual.loop.run()
    #expect(stage.fired.all == (0..<20).map { "\($0) 50" })
    #expect(virtual.sleepCount == 1)
  }

  @Test func `M37: the kernel's clocks end a wait, by themselves and among descriptors`() throws {
    try CountingPoller.withLoop { loop, _ in try endsWaits(of: loop) }
  }

  private func endsWaits(of loop: RunLoop) throws {
    let order = Record<String>()
    let pipe = Pipe()
    let source = RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }
    try loop.add(source, to: .default)
    let begin = RunLoop.Instant.now
    loop.add(RunLoop.Timer(after: .milliseconds(30), on: .boot) { _ in order.add("boot") }, to: .default)
    loop.add(
      RunLoop.Timer(atWallTime: .now.advanced(by: .milliseconds(20))) { _ in order.add("wall") }, to: .default
    )
    loop.add(
      RunLoop.Timer(after: .milliseconds(40)) { _ in
        order.add("monotonic")
        source.invalidate()
      }, to: .default)
    #expect(loop.run(in: .default, for: .seconds(20)).reason == .finished)
    #expect(order.all == ["wall", "boot", "monotonic"])
    #expect(begin.duration(to: .now) >= .milliseconds(40), "none fires early")
    loop.add(RunLoop.Timer(after: .milliseconds(1), on: .boot) { _ in order.add("alone") }, to: .default)
    #expect(loop.run(in: .default, for: .seconds(20)).reason == .finished)
    #expect(order.all.last == "alone")
  }

  @Test func `M37: a monotonic date on a timer of another clock traps and names both`() async {
    await #expect(processExitsWith: .failure) {
      RunLoop.Timer(rearmable: (), on: .wall) { _ in }.setFireDate(.now)
    }
    await #expect(processExitsWith: .failure) {
      RunLoop.Timer(rearmable: ()) { _ in }.setWallFireDate(.now)
    }
  }
}
