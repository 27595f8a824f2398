import Testing

@testable import ScrollList

@Suite struct `The scroller` {
  private func dragged(by way: Double, in milliseconds: UInt32) -> Scroller {
    var scroller = Scroller(offsetMax: 10_000)
    scroller.press(y: 500, milliseconds: 1000)
    scroller.move(y: 500 - way, milliseconds: 1000 + milliseconds)
    return scroller
  }

  @Test func `follows the hand that holds it, and goes no further than the list`() {
    var scroller = dragged(by: 120, in: 50)
    #expect(scroller.offset == 120)
    scroller.move(y: 5000, milliseconds: 1100)
    #expect(scroller.offset == 0)
  }

  @Test func `coasts when the hand lets go in motion, ever slower, and comes to rest`() {
    var scroller = dragged(by: 100, in: 50)
    scroller.release(milliseconds: 1050)
    #expect(scroller.motion == .coasting(velocity: 2000))
    scroller.advance(by: 0.01)
    #expect(scroller.offset == 120)
    var frames = 0
    while !scroller.isResting, frames < 1000 {
      scroller.advance(by: 1.0 / 60)
      frames += 1
    }
    #expect(scroller.isResting)
    #expect((1000...1200).contains(scroller.offset))
  }

  @Test func `stays where the hand has held it for a while before it lets go`() {
    var scroller = dragged(by: 100, in: 50)
    scroller.release(milliseconds: 1500)
    #expect(scroller.isResting)
    #expect(scroller.offset == 100)
  }

  @Test func `rests where it is when whoever held it is gone`() {
    var scroller = dragged(by: 100, in: 50)
    scroller.letGo()
    #expect(scroller.isResting)
    #expect(scroller.offset == 100)
  }

  @Test func `is caught by a hand while it coasts`() {
    var scroller = dragged(by: 100, in: 50)
    scroller.release(milliseconds: 1050)
    scroller.press(y: 10, milliseconds: 1060)
    scroller.advance(by: 1)
    #expect(scroller.offset == 100)
  }
}
