import Mainspring
import Testing

@Suite struct LongPressTests {
  private typealias LongPress = RunLoop.LongPressRecognizer

  @Test func `M64: a finger that stays presses from the delay on, and may move then`() {
    var hand = Hand(LongPress(delay: .milliseconds(500)))
    hand.touch(.began, 0, at: 0)
    #expect(hand.recognizer.deadline == Hand<LongPress>.date(500))
    hand.wait(until: 499)
    #expect(hand.states.isEmpty)
    hand.wait(until: 500)
    #expect(hand.states == [.began])
    hand.touch(.moved, 200, at: 600)
    hand.touch(.ended, 200, at: 700)
    #expect(hand.states == [.began, .changed, .ended])
    #expect(hand.recognizer.location.x == 200)
  }

  @Test func `M64: a finger that is lifted, strays or is joined before does not press`() {
    var lifted = Hand(LongPress(delay: .milliseconds(500)))
    lifted.touch(.began, 0, at: 0)
    lifted.touch(.ended, 0, at: 499)
    lifted.wait(until: 600)
    #expect(lifted.states == [.failed])

    var straying = Hand(LongPress(slop: 10))
    straying.touch(.began, 0, at: 0)
    straying.touch(.moved, 10, at: 10)
    #expect(straying.states.isEmpty)
    straying.touch(.moved, 11, at: 20)
    straying.wait(until: 600)
    #expect(straying.states == [.failed])

    var joined = Hand(LongPress())
    joined.touch(.began, 0, at: 0)
    joined.touch(.began, 90, at: 10, finger: 1)
    joined.wait(until: 600)
    #expect(joined.states == [.failed])
  }

  @Test func `M64: a press that is on is not minded by a second finger, and can be taken away`() {
    var hand = Hand(LongPress(delay: .milliseconds(500)))
    hand.touch(.began, 0, at: 0)
    hand.wait(until: 500)
    hand.touch(.began, 90, at: 600, finger: 1)
    hand.touch(.cancelled, 0, at: 700)
    #expect(hand.states == [.began, .cancelled])
  }
}
