import Mainspring
import Testing

@Suite struct DragTests {
  private typealias Drag = RunLoop.DragRecognizer

  @Test func `M64: a drag begins where the finger leaves its slop, and counts its way from there`() {
    var hand = Hand(Drag(slop: 10))
    hand.touch(.began, 100, 100, at: 0)
    hand.touch(.moved, 100, 110, at: 10)
    #expect(hand.states.isEmpty)
    hand.touch(.moved, 100, 112, at: 20)
    #expect(hand.states == [.began])
    #expect(hand.recognizer.translation == RunLoop.Vector(x: 0, y: 2))
    hand.touch(.moved, 103, 130, at: 30)
    hand.touch(.ended, 103, 130, at: 40)
    #expect(hand.states == [.began, .changed, .ended])
    #expect(hand.recognizer.translation == RunLoop.Vector(x: 3, y: 20))
  }

  @Test func `M64: a finger that is lifted within its slop does not drag`() {
    var hand = Hand(Drag(slop: 10))
    hand.touch(.began, 0, at: 0)
    hand.touch(.moved, 5, at: 10)
    hand.touch(.ended, 5, at: 20)
    #expect(hand.states == [.failed])
  }

  @Test func `M64: a drag may begin and end with the same touch, and says both`() {
    var hand = Hand(Drag(slop: 10))
    hand.touch(.began, 0, at: 0)
    hand.touch(.moved, 30, at: 10)
    hand.touch(.ended, 50, at: 20)
    #expect(hand.states == [.began, .ended])
    #expect(hand.recognizer.translation.x == 40)
  }

  @Test func `M64: the finger that began it drags, whatever others do`() {
    var hand = Hand(Drag(slop: 10))
    hand.touch(.began, 0, at: 0)
    hand.touch(.moved, 20, at: 10)
    hand.touch(.began, 500, at: 20, finger: 1)
    hand.touch(.ended, 500, at: 30, finger: 1)
    #expect(hand.recognizer.location.x == 20)
    #expect(hand.recognizer.state.isOn)
    hand.touch(.cancelled, 20, at: 40)
    #expect(hand.states.last == .cancelled)
    // Before it is a drag, two fingers mean something else.
    var two = Hand(Drag(slop: 10))
    two.touch(.began, 0, at: 0)
    two.touch(.began, 50, at: 1, finger: 1)
    #expect(two.states == [.failed])
  }

  /// The velocity of a finger that goes so far each so many ms, and rests before it is lifted.
  private func velocity(step: Double, every milliseconds: Int, rest: Int = 0) -> Double {
    var hand = Hand(Drag(slop: 1))
    hand.touch(.began, 0, at: 0)
    for number in 1...20 { hand.touch(.moved, step * Double(number), at: number * milliseconds) }
    hand.touch(.ended, step * 20, at: 20 * milliseconds + rest)
    return hand.recognizer.velocity.x
  }

  @Test func `M64: the velocity is a second's way, by the times of the touches`() {
    #expect(abs(velocity(step: 10, every: 10) - 1000) < 0.001)
    #expect(abs(velocity(step: -3, every: 16) + 187.5) < 0.001)
    #expect(velocity(step: 10, every: 10, rest: 40) != 0)
  }

  @Test func `M64: a finger that stood still before it was lifted has no velocity`() {
    #expect(velocity(step: 10, every: 10, rest: 41) == 0)
  }

  @Test func `M64: only what a finger did lately says how fast it is`() {
    var hand = Hand(Drag(slop: 1))
    hand.touch(.began, 0, at: 0)
    for number in 1...20 { hand.touch(.moved, Double(number) * 10, at: number * 10) }
    for number in 1...12 { hand.touch(.moved, 200 - Double(number) * 5, at: 200 + number * 10) }
    #expect(abs(hand.recognizer.velocity.x + 500) < 0.001)
  }

  @Test func `M64: touches of one moment divide nothing by zero`() {
    var hand = Hand(Drag(slop: 1))
    hand.touch(.began, 0, at: 0)
    hand.touch(.moved, 50, at: 0)
    #expect(hand.states == [.began])
    #expect(hand.recognizer.velocity == .zero)
  }

  @Test func `M64: a finger that strays by less than nothing traps`() async {
    await #expect(processExitsWith: .failure) { _ = RunLoop.DragRecognizer(slop: -1) }
    await #expect(processExitsWith: .failure) { _ = RunLoop.PinchRecognizer(slop: .nan) }
  }
}
