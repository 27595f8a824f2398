import Mainspring
import MainspringTesting
import Testing

@Suite struct GestureEdgeTests {
  private typealias Tap = RunLoop.TapRecognizer
  private typealias Drag = RunLoop.DragRecognizer
  private typealias LongPress = RunLoop.LongPressRecognizer

  @Test func `M64: a finger that never began is not heard of, and one that begins twice is cancelled`() {
    let stage = GestureStage()
    stage.look(for: "drag", Drag(slop: 10))
    stage.feed(.moved, 100)
    stage.feed(.ended, 100)
    stage.feed(.cancelled, 100)
    stage.pass(1)
    #expect(stage.told.isEmpty)
    stage.feed(.began)
    stage.feed(.moved, 50)
    stage.feed(.began)
    stage.feed(.moved, 50)
    stage.feed(.ended, 50)
    stage.pass(1)
    #expect(stage.told.all == ["drag began", "drag cancelled", "drag began", "drag ended"])
  }

  @Test func `M64: times neither go back nor lie ahead`() {
    let stage = GestureStage()
    stage.look(for: "press", LongPress(delay: .milliseconds(500)))
    stage.pass(100)
    // A clock that is an hour ahead.
    stage.feed(.began, ago: .seconds(-3600))
    stage.pass(499)
    #expect(stage.told.isEmpty)
    stage.pass(2)
    #expect(stage.told.all == ["press began"])
    stage.feed(.ended, ago: .seconds(3600))
    stage.pass(1)
    #expect(stage.told.all == ["press began", "press ended"])
    stage.feed(.began)
    stage.pass(501)
    #expect(stage.told.count == 3)
  }

  @Test func `M64: an action may feed, remove, ask for more, and end everything`() {
    let stage = GestureStage()
    let tap = Box<RunLoop.Recognition>()
    tap.value = stage.look(for: "tap", Tap()) { [unowned stage] _ in
      tap.value?.remove()
      stage.look(for: "other", Tap()) { [unowned stage] _ in stage.gestures.invalidate() }
      stage.feed(.began)
      stage.feed(.ended)
    }
    stage.tap()
    #expect(stage.told.all == ["tap ended", "other ended"])
    #expect(!stage.gestures.isValid)
    stage.feed(.began)
    stage.pass(1)
  }

  @Test func `M64: a gesture that is removed while it is on is cancelled`() {
    let stage = GestureStage()
    let drag = stage.look(for: "drag", Drag(slop: 10))
    stage.feed(.began)
    stage.feed(.moved, 50)
    stage.pass(1)
    drag.remove()
    drag.remove()
    #expect(stage.told.all == ["drag began", "drag cancelled"])
  }

  @Test func `M64: who waited for a gesture that is removed is decided upon`() {
    let stage = GestureStage()
    let double = stage.look(for: "double", Tap(count: 2))
    stage.look(for: "single", Tap(), unless: double)
    stage.tap()
    #expect(stage.told.isEmpty)
    double.remove()
    #expect(stage.told.all == ["single ended"])
  }

  @Test func `M64: who is asked for while a finger is down hears of the next contact`() {
    let stage = GestureStage()
    stage.feed(.began)
    stage.pass(1)
    let double = stage.look(for: "double", Tap(count: 2))
    stage.look(for: "single", Tap(), unless: double)
    stage.feed(.ended)
    stage.pass(400)
    #expect(stage.told.isEmpty)
    stage.tap()
    stage.pass(400)
    #expect(stage.told.all == ["single ended"])
  }

  /// Never says that it is over.
  private struct Silent: RunLoop.GestureRecognizer {
    private(set) var state = RunLoop.GestureState.possible
    var deadline: RunLoop.Instant? { nil }
    mutating func take(_ touch: RunLoop.Touch) { if touch.phase == .moved { state = .began } }
    mutating func pass(to now: RunLoop.Instant) {}
    mutating func cancel() { state = state.isOn ? .cancelled : .failed }
    mutating func reset() { state = .possible }
  }

  @Test func `M64: what has no finger and no date any more is over, whatever its recogniser says`() {
    let stage = GestureStage()
    let silent = stage.look(for: "silent", Silent())
    stage.look(for: "tap", Tap(), unless: silent)
    stage.tap()
    #expect(stage.told.all == ["tap ended"])
    stage.feed(.began)
    stage.feed(.moved)
    stage.feed(.ended)
    stage.pass(1)
    #expect(stage.told.all == ["tap ended", "silent began", "silent cancelled"])
  }

  /// Asks for the same date again and again.
  private struct Stubborn: RunLoop.GestureRecognizer {
    private(set) var state = RunLoop.GestureState.possible
    private(set) var deadline: RunLoop.Instant?
    mutating func take(_ touch: RunLoop.Touch) { deadline = touch.time }
    mutating func pass(to now: RunLoop.Instant) {}
    mutating func cancel() { deadline = nil }
    mutating func reset() { deadline = nil }
  }

  @Test func `M64: a recogniser that is never content with the time does not hold up the loop`() {
    let stage = GestureStage()
    stage.look(for: "stubborn", Stubborn())
    stage.feed(.began)
    stage.pass(10)
    stage.look(for: "tap", Tap())
    stage.feed(.ended)
    stage.tap()
    #expect(stage.told.all == ["tap ended"])
  }

  @Test func `M64: whatever fingers do, gestures begin before they end, one at a time`() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let stage = GestureStage()
      let double = stage.look(for: "double", Tap(count: 2))
      stage.look(for: "tap", Tap(), unless: double)
      stage.look(for: "press", LongPress())
      stage.look(for: "drag", Drag())
      stage.look(for: "pinch", RunLoop.PinchRecognizer())
      for _ in 0..<40 {
        let phases: [RunLoop.Touch.Phase] = [
          .began, .began, .moved, .moved, .moved, .ended, .ended, .cancelled,
        ]
        stage.feed(
          phases.randomElement(using: &random)!, Double.random(in: 0...30, using: &random),
          finger: Int.random(in: 0...2, using: &random))
        if Bool.random(using: &random) { stage.pass(Int.random(in: 1...400, using: &random)) }
      }
      for finger in 0...2 { stage.feed(.cancelled, finger: finger) }
      stage.pass(1000)
      var on: Substring?
      for told in stage.told.all {
        let words = told.split(separator: " ")
        switch words[1] {
        case "began":
          #expect(on == nil, "seed \(seed): \(stage.told.all)")
          on = words[0]
        case "changed": #expect(on == words[0], "seed \(seed): \(stage.told.all)")
        default:
          #expect(on == nil || on == words[0], "seed \(seed): \(stage.told.all)")
          on = nil
        }
      }
      #expect(on == nil, "seed \(seed): \(stage.told.all)")
    }
  }
}
