import Mainspring
import Testing

@Suite struct TapTests {
  private typealias Tap = RunLoop.TapRecognizer

  @Test func `M64: a finger that comes down and goes up in its place taps`() {
    var hand = Hand(Tap())
    hand.touch(.began, 5, 7, at: 0)
    #expect(hand.recognizer.state == .possible)
    hand.touch(.moved, 9, 7, at: 50)
    hand.touch(.ended, 9, 7, at: 100)
    #expect(hand.states == [.ended])
    #expect(hand.recognizer.location == RunLoop.Vector(x: 5, y: 7))
    #expect(hand.recognizer.deadline == nil)
  }

  @Test func `M64: a finger that is down for too long, strays, or is taken away, does not tap`() {
    var slow = Hand(Tap(longest: .milliseconds(300)))
    slow.touch(.began, 0, at: 0)
    slow.touch(.ended, 0, at: 300)
    #expect(slow.states == [.failed])

    var quick = Hand(Tap(longest: .milliseconds(300)))
    quick.touch(.began, 0, at: 0)
    quick.touch(.ended, 0, at: 299)
    #expect(quick.states == [.ended])

    var straying = Hand(Tap(slop: 10))
    straying.touch(.began, 0, at: 0)
    straying.touch(.moved, 11, at: 10)
    // It came back in vain.
    straying.touch(.moved, 0, at: 20)
    straying.touch(.ended, 0, at: 30)
    #expect(straying.states == [.failed])

    var taken = Hand(Tap())
    taken.touch(.began, 0, at: 0)
    taken.touch(.cancelled, 0, at: 10)
    #expect(taken.states == [.failed])
  }

  @Test func `M64: a second finger is no tap`() {
    var hand = Hand(Tap())
    hand.touch(.began, 0, at: 0)
    hand.touch(.began, 50, at: 10, finger: 1)
    hand.touch(.ended, 0, at: 20)
    #expect(hand.states == [.failed])
  }

  @Test func `M64: two taps are one gesture if the second begins in time and in place`() {
    func states(pause: Int, distance: Double) -> [RunLoop.GestureState] {
      var hand = Hand(Tap(count: 2, slop: 10, pause: .milliseconds(300)))
      hand.touch(.began, 0, at: 0)
      hand.touch(.ended, 0, at: 50)
      hand.touch(.began, distance, at: 50 + pause)
      hand.touch(.ended, distance, at: 100 + pause)
      return hand.states
    }
    #expect(states(pause: 299, distance: 40) == [.ended])
    #expect(states(pause: 300, distance: 0) == [.failed])
    #expect(states(pause: 100, distance: 41) == [.failed])
  }

  @Test func `M64: after one gesture comes the next`() {
    var hand = Hand(Tap())
    for beginning in [0, 1000] {
      hand.touch(.began, 0, at: beginning)
      hand.touch(.ended, 0, at: beginning + 50)
      hand.resetIfOver()
    }
    #expect(hand.states == [.ended, .ended])
  }
}
