import Mainspring
import MainspringTesting
import Testing

@Suite struct GesturesTests {
  private typealias Tap = RunLoop.TapRecognizer
  private typealias Drag = RunLoop.DragRecognizer
  private typealias LongPress = RunLoop.LongPressRecognizer

  @Test func `M64: gestures are decided upon before the loop sleeps, and once for all that came`() {
    let stage = GestureStage()
    stage.look(for: "drag", Drag(slop: 10)) { drag in
      if drag.state == .changed { #expect(drag.translation.x == 90) }
    }
    let drag = RunLoop.Source { [unowned stage] _ in
      stage.feed(.began)
      for place in 1...10 { stage.feed(.moved, Double(place) * 10) }
      #expect(stage.told.isEmpty)
    }
    stage.loop.add(drag, to: .default)
    stage.virtual.trace.clear()
    drag.signal()
    stage.pass()
    #expect(stage.told.all == ["drag began", "drag changed"])
    #expect(
      stage.virtual.trace.phases == [
        "entry", "beforeTimers", "beforeSources", "source", "beforeTimers", "beforeSources", "beforeWaiting",
        "beforeWaiting", "waiting", "afterWaiting", "exit",
      ])
  }

  @Test func `M64: the loop does not sleep over a touch, nor finish before a gesture is decided upon`() {
    let stage = GestureStage()
    stage.look(for: "press", LongPress(delay: .milliseconds(500))) { [gestures = stage.gestures] press in
      if press.state == .began { gestures.cancelAll() }
    }
    stage.feed(.began)
    let begin = stage.virtual.now
    #expect(stage.loop.run().reason == .finished)
    #expect(stage.told.all == ["press began", "press cancelled"])
    #expect(begin.duration(to: stage.virtual.now) == .milliseconds(500))
  }

  @Test func `M64: a press is not long because the loop was busy while the finger was lifted`() throws {
    let stage = GestureStage()
    stage.look(for: "press", LongPress(delay: .milliseconds(500)))
    stage.look(for: "tap", Tap(longest: .milliseconds(480)))
    let outside = Box<RunLoop.Touch>()
    let events = RunLoop.EventQueue<RunLoop.Touch>(7) { [unowned stage] in
      defer {
        outside.value = nil
        stage.virtual.setReadiness([], of: 7)
      }
      return outside.value
    } deliver: { [unowned stage] in
      stage.gestures.feed($0)
    }
    stage.loop.add(events, to: .common)
    stage.feed(.began)
    let begin = stage.virtual.now
    stage.loop.add(
      RunLoop.Timer(after: .milliseconds(100)) { [unowned stage] _ in
        stage.virtual.spend(.milliseconds(700))
        outside.value = RunLoop.Touch(
          .ended, at: .zero, time: begin.advanced(by: .milliseconds(450)))
        stage.virtual.setReadiness(.read, of: 7)
      }, to: .common)
    stage.pass(900)
    #expect(stage.told.all == ["tap ended"])
  }

  @Test func `M64: the first that is recognised wins, and the others hear no more of that contact`() {
    let stage = GestureStage()
    stage.look(for: "drag", Drag(slop: 10))
    stage.look(for: "press", LongPress(delay: .milliseconds(500)))
    stage.feed(.began)
    stage.pass(600)
    stage.feed(.moved, 100)
    stage.pass(10)
    stage.feed(.ended, 100)
    stage.pass(10)
    #expect(stage.told.all == ["press began", "press changed", "press ended"])
    stage.told.clear()
    // The next contact is anybody's.
    stage.feed(.began)
    stage.feed(.moved, 100)
    stage.pass(600)
    stage.feed(.ended, 100)
    stage.pass(10)
    #expect(stage.told.all == ["drag began", "drag ended"])
  }

  @Test func `M64: a contact goes on until the last finger is lifted`() {
    let stage = GestureStage()
    stage.look(for: "drag", Drag(slop: 10))
    stage.look(for: "tap", Tap())
    stage.feed(.began)
    stage.feed(.moved, 100)
    stage.feed(.began, 500, finger: 1)
    stage.feed(.ended, 100)
    // The drag is over, but this finger was down while it was on.
    stage.feed(.began, 0, finger: 2)
    stage.feed(.ended, 0, finger: 2)
    stage.feed(.ended, 500, finger: 1)
    stage.pass(1)
    #expect(stage.told.all == ["drag began", "drag ended"])
    stage.tap()
    #expect(stage.told.all.last == "tap ended")
  }

  @Test func `M64: what is recognised alongside neither wins nor loses`() {
    let stage = GestureStage()
    stage.look(for: "flick", RunLoop.FlickRecognizer(), alongside: true)
    stage.look(for: "drag", Drag(slop: 10))
    stage.feed(.began)
    for step in 1...5 {
      stage.pass(10)
      stage.feed(.moved, Double(step) * 20)
    }
    stage.feed(.ended, 100)
    stage.pass(1)
    #expect(
      stage.told.all.filter { !$0.hasSuffix("changed") } == ["drag began", "flick ended", "drag ended"])
  }

  @Test func `M64: a tap waits until it is no double tap any more`() {
    let stage = GestureStage()
    let double = stage.look(for: "double", Tap(count: 2, pause: .milliseconds(300)))
    stage.look(for: "single", Tap(), unless: double)
    stage.tap()
    #expect(stage.told.isEmpty)
    stage.pass(300)
    #expect(stage.told.all == ["single ended"])
    stage.told.clear()
    stage.tap()
    stage.pass(100)
    stage.tap()
    stage.pass(1000)
    #expect(stage.told.all == ["double ended"])
    stage.told.clear()
    // A second tap elsewhere: each is one.
    stage.tap()
    stage.pass(100)
    stage.tap(200)
    stage.pass(1000)
    #expect(stage.told.all == ["single ended", "single ended"])
  }

  @Test func `M64: a tap that is told late takes nothing from the drag that came after it`() {
    let stage = GestureStage()
    let double = stage.look(for: "double", Tap(count: 2))
    stage.look(for: "single", Tap(), unless: double)
    stage.look(for: "drag", Drag(slop: 10))
    stage.tap()
    stage.pass(50)
    stage.feed(.began)
    stage.pass(10)
    stage.feed(.moved, 50)
    stage.pass(10)
    stage.feed(.ended, 50)
    stage.pass(10)
    #expect(stage.told.all == ["single ended", "drag began", "drag ended"])
  }
}
