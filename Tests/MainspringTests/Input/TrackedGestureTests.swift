import Mainspring
import MainspringTesting
import Testing

@Suite struct TrackedGestureTests {
  private typealias Drag = RunLoop.DragRecognizer

  /// Touches that come at these times, in ms, as if from outside.
  private func script(_ stage: GestureStage, _ events: RunLoop.EventQueue<(RunLoop.Touch.Phase, Double)>) {
    let touches: [(Int, RunLoop.Touch.Phase, Double)] = [
      (100, .began, 0), (110, .moved, 20), (200, .moved, 40), (300, .ended, 50),
    ]
    for (date, phase, place) in touches {
      stage.virtual.at(.milliseconds(date)) { events.post((phase, place)) }
    }
    stage.loop.add(events, to: .common)
  }

  private func queue(_ stage: GestureStage) -> RunLoop.EventQueue<(RunLoop.Touch.Phase, Double)> {
    RunLoop.EventQueue { [unowned stage] (event: (RunLoop.Touch.Phase, Double)) in
      stage.feed(event.0, event.1)
    }
  }

  @Test func `M56, M64: a drag runs the loop in the tracking mode until it ends`() {
    let stage = GestureStage()
    let modes = Record<String>()
    stage.look(for: "drag", Drag(slop: 10), runningIn: .tracking) { [unowned stage] _ in
      modes.add(stage.loop.currentMode?.name ?? "none")
    }
    let (plain, common) = (Record<Int>(), Record<Int>())
    let begin = stage.virtual.now
    for (mode, fired) in [(RunLoop.Mode.default, plain), (.common, common)] {
      let virtual = stage.virtual
      stage.loop.add(
        RunLoop.Timer(every: .milliseconds(50)) { [unowned virtual] _ in
          fired.add(Int(begin.duration(to: virtual.now) / .milliseconds(1)))
        }, to: mode)
    }
    let events = queue(stage)
    script(stage, events)
    stage.pass(420)
    #expect(stage.told.all == ["drag began", "drag changed", "drag ended"])
    #expect(modes.all == ["default", "tracking", "tracking"])
    #expect(common.all == [50, 100, 150, 200, 250, 300, 350, 400])
    #expect(plain.all == [50, 100, 300, 350, 400])
  }

  @Test func `M64: a stop during a drag is for the run around it`() {
    let stage = GestureStage()
    stage.look(for: "drag", Drag(slop: 10), runningIn: .tracking)
    let events = queue(stage)
    script(stage, events)
    let loop = stage.loop
    stage.virtual.at(.milliseconds(250)) { loop.stop() }
    let begin = stage.virtual.now
    #expect(stage.loop.run(in: .default, for: .seconds(1)).reason == .stopped)
    #expect(begin.duration(to: stage.virtual.now) == .milliseconds(250))
    #expect(stage.told.all == ["drag began", "drag changed"])
  }

  @Test func `M64: a drag that has ended before the loop could track runs nothing`() {
    let stage = GestureStage()
    stage.look(for: "drag", Drag(slop: 10), runningIn: .tracking)
    stage.feed(.began)
    stage.feed(.moved, 30)
    stage.feed(.ended, 30)
    stage.pass(10)
    #expect(stage.told.all == ["drag began", "drag ended"])
    #expect(stage.virtual.trace.entries.allSatisfy { $0.nesting == 1 })
  }

  @Test func `M64: gestures that are invalidated while they track let the loop go on`() {
    let stage = GestureStage()
    stage.look(for: "drag", Drag(slop: 10), runningIn: .tracking)
    let events = queue(stage)
    script(stage, events)
    stage.loop.add(
      RunLoop.Timer(after: .milliseconds(150)) { [gestures = stage.gestures] _ in gestures.invalidate() },
      to: .common)
    let late = Record<String>()
    stage.loop.add(
      RunLoop.Timer(after: .milliseconds(160)) { [unowned stage] _ in
        late.add(stage.loop.currentMode?.name ?? "none")
      }, to: .common)
    stage.pass(400)
    #expect(late.all == ["default"])
  }
}
