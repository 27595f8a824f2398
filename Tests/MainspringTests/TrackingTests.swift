import Mainspring
import MainspringTesting
import Testing

@Suite struct TrackingTests {
  /// A loop with a timer of 10 ms in the default mode and one in the common modes, and when each fired, in ms.
  private final class Stage: Sendable {
    let virtual = VirtualRunLoop()
    let (plain, common) = (Record<Int>(), Record<Int>())

    init() {
      let (virtual, begin) = (virtual, virtual.now)
      for (mode, fired) in [(RunLoop.Mode.default, plain), (.common, common)] {
        virtual.loop.add(
          RunLoop.Timer(every: .milliseconds(10)) { _ in
            fired.add(Int(begin.duration(to: virtual.now) / .milliseconds(1)))
          }, to: mode)
      }
    }
  }

  @Test func `M56: while the loop tracks, default timers stand still and common ones go on`() {
    let stage = Stage()
    let loop = stage.virtual.loop
    loop.run(in: .default, for: .milliseconds(25))
    loop.run(in: .tracking, for: .milliseconds(40))
    #expect(stage.plain.all == [10, 20])
    #expect(stage.common.all == [10, 20, 30, 40, 50, 60])
    // What was missed is one fire, and the grid is kept.
    loop.run(in: .default, for: .milliseconds(20))
    #expect(stage.plain.all == [10, 20, 65, 70, 80])
    #expect(stage.common.all == [10, 20, 30, 40, 50, 60, 70, 80])
  }

  @Test func `M56: tracking begins in a callout and ends with its last event`() {
    let stage = Stage()
    let (virtual, loop) = (stage.virtual, stage.virtual.loop)
    let drag = RunLoop.Port<String> { _, event in if event == "up" { virtual.loop.stop() } }
    loop.add(drag, to: .tracking)
    let touch = RunLoop.Port<Void> { _, _ in
      #expect(virtual.loop.run(in: .tracking).reason == .stopped)
    }
    loop.add(touch, to: .default)
    virtual.at(.milliseconds(15)) { touch.send(()) }
    virtual.at(.milliseconds(30)) { drag.send("move") }
    virtual.at(.milliseconds(45)) { drag.send("up") }
    loop.run(in: .default, for: .milliseconds(60))
    #expect(stage.plain.all == [10, 45, 50, 60])
    #expect(stage.common.all == [10, 20, 30, 40, 50, 60])
  }
}
