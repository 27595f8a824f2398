import Mainspring
import Testing

@Suite struct FlickAndPinchTests {
  private typealias Flick = RunLoop.FlickRecognizer
  private typealias Pinch = RunLoop.PinchRecognizer

  private func flick(by way: RunLoop.Vector, in milliseconds: Int, rest: Int = 0) -> Hand<Flick> {
    var hand = Hand(Flick(speed: 400, distance: 20, longest: .milliseconds(400)))
    hand.touch(.began, 0, 0, at: 0)
    for number in 1...10 {
      let part = way * (Double(number) / 10)
      hand.touch(.moved, part.x, part.y, at: milliseconds * number / 10)
    }
    hand.touch(.ended, way.x, way.y, at: milliseconds + rest)
    return hand
  }

  @Test func `M64: a finger that is lifted while it is fast flicks, in a direction`() {
    #expect(flick(by: RunLoop.Vector(x: 0, y: -100), in: 100).states == [.ended])
    #expect(flick(by: RunLoop.Vector(x: 0, y: -100), in: 100).recognizer.direction == .up)
    #expect(flick(by: RunLoop.Vector(x: 10, y: 100), in: 100).recognizer.direction == .down)
    #expect(flick(by: RunLoop.Vector(x: -100, y: 50), in: 100).recognizer.direction == .left)
    #expect(flick(by: RunLoop.Vector(x: 100, y: 0), in: 100).recognizer.direction == .right)
  }

  @Test func `M64: a finger that is slow, hardly moves, takes its time or rests at the end does not flick`() {
    #expect(flick(by: RunLoop.Vector(x: 30, y: 0), in: 100).states == [.failed])
    #expect(flick(by: RunLoop.Vector(x: 15, y: 0), in: 10).states == [.failed])
    #expect(flick(by: RunLoop.Vector(x: 1000, y: 0), in: 400).states == [.failed])
    #expect(flick(by: RunLoop.Vector(x: 100, y: 0), in: 100, rest: 41).states == [.failed])
  }

  @Test func `M64: two fingers that go apart pinch, from where they leave their slop`() {
    var hand = Hand(Pinch(slop: 10))
    hand.touch(.began, 0, at: 0)
    hand.touch(.began, 90, at: 10, finger: 1)
    hand.touch(.moved, 100, at: 20, finger: 1)
    #expect(hand.states.isEmpty)
    hand.touch(.moved, 110, at: 30, finger: 1)
    #expect(hand.states == [.began])
    #expect(hand.recognizer.scale == 1.1)
    hand.touch(.moved, -90, at: 40)
    #expect(hand.recognizer.scale == 2)
    #expect(hand.recognizer.center.x == 10)
    hand.touch(.ended, 110, at: 50, finger: 1)
    #expect(hand.states == [.began, .changed, .ended])
    #expect(hand.recognizer.scale == 2)
  }

  @Test func `M64: two fingers that meet pinch to nothing, and divide nothing by zero`() {
    var hand = Hand(Pinch(slop: 10))
    hand.touch(.began, 0, at: 0)
    hand.touch(.began, 90, at: 10, finger: 1)
    hand.touch(.moved, 0, at: 20, finger: 1)
    #expect(hand.states == [.began])
    #expect(hand.recognizer.scale == 0)
    var together = Hand(Pinch(slop: 10))
    together.touch(.began, 0, at: 0)
    together.touch(.began, 0, at: 1, finger: 1)
    together.touch(.moved, 20, at: 2, finger: 1)
    #expect(together.recognizer.scale == 2)
  }

  @Test func `M64: one finger does not pinch, nor two that keep their distance, nor a third`() {
    var one = Hand(Pinch(slop: 10))
    one.touch(.began, 0, at: 0)
    one.touch(.moved, 90, at: 10)
    one.touch(.ended, 90, at: 20)
    #expect(one.states == [.failed])

    var two = Hand(Pinch(slop: 10))
    two.touch(.began, 0, at: 0)
    two.touch(.began, 90, at: 0, finger: 1)
    two.touch(.began, 500, at: 0, finger: 2)
    two.touch(.moved, 5, at: 10)
    two.touch(.moved, 95, at: 10, finger: 1)
    two.touch(.moved, 900, at: 10, finger: 2)
    #expect(two.states.isEmpty)
    two.touch(.cancelled, 5, at: 20)
    #expect(two.states == [.failed])
  }
}
