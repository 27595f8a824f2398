import SimulationPrograms
import Testing

/// What `Agreement` leaves out of the random programs, each in the smallest program that shows it: what is called and
/// how the runs end, here and in CFRunLoop.
@Suite struct DifferenceTests {
  private static let hour = AgreeingProgram.hour

  private func expect(
    _ play: Play, here: [String], there: [String], _ place: SourceLocation = #_sourceLocation
  ) {
    let program = play.program
    let loop = Player(program, on: LoopWorld(clock: .hidden)).play()
    #expect(calls(loop) == here, sourceLocation: place)
    #expect(calls(FreshThread.play(program)) == there, "CFRunLoop", sourceLocation: place)
  }

  private func calls(_ lines: [Line]) -> [String] {
    lines.compactMap {
      switch $0.event {
      case .called(let item, let callout): "\(item) \(callout)"
      case .block(let number): "block \(number)"
      case .runEnded(let result): "\(result.reason)"
      default: nil
      }
    }
  }

  @Test func `CF 32, M26: an observer that was removed in an activity is not called any more`() {
    var play = Play()
    let former = play.add(.observer(activities: .beforeTimers, repeats: true, order: 0))
    let latter = play.add(.observer(activities: .beforeTimers, repeats: true, order: 1))
    _ = play.add(.source(order: 0))
    play.on(former, [.remove(latter, .default)])
    play.pass()
    expect(
      play, here: ["0 beforeTimers", "timedOut"], there: ["0 beforeTimers", "1 beforeTimers", "timedOut"])
  }

  @Test func `CF 46, M26: a source that was removed from the mode is not performed in its round`() {
    var play = Play()
    let former = play.add(.source(order: 0))
    let latter = play.add(.source(order: 1))
    play.on(former, [.remove(latter, .default)])
    play.main += [.signal(former), .signal(latter)]
    play.pass()
    expect(play, here: ["0 source", "timedOut"], there: ["0 source", "1 source", "timedOut"])
  }

  @Test func `CF 47, M24: a round counts as handled though its last source is invalid by its turn`() {
    var play = Play()
    let former = play.add(.source(order: 0))
    let latter = play.add(.source(order: 1))
    _ = play.add(.timer(first: 0))
    play.on(former, [.invalidate(latter), .perform(block: 0, modes: [.default])])
    play.main += [.signal(former), .signal(latter)]
    play.pass()
    // The second drain of blocks comes after a handled source only.
    expect(
      play, here: ["0 source", "block 0", "2 timer", "timedOut"],
      there: ["0 source", "2 timer", "block 0", "timedOut"])
  }

  @Test
  func `CF 59, M26: a timer that was removed from the mode is not fired there, whatever other modes it has`()
  {
    var play = Play()
    let former = play.add(.timer(first: 0))
    let latter = play.add(.timer(first: 0))
    play.main.append(.add(latter, .tracking))
    play.on(former, [.remove(latter, .default)])
    play.pass()
    expect(play, here: ["0 timer", "timedOut"], there: ["0 timer", "1 timer", "timedOut"])
  }

  @Test func `CF 59, M32: a timer that is moved while others fire is due again in the next pass`() {
    var play = Play()
    let former = play.add(.timer(first: 0))
    let latter = play.add(.timer(first: 0))
    play.on(former, [.setDate(latter, 0)])
    play.pass()
    play.pass()
    expect(
      play, here: ["0 timer", "timedOut", "1 timer", "timedOut"],
      there: ["0 timer", "1 timer", "timedOut", "finished"])
  }

  @Test func `CF 57, M34: a one-shot timer that its callout gave a date goes on`() {
    var play = Play()
    let timer = play.add(.timer(first: 0))
    play.on(timer, [.setDate(timer, 0)])
    play.pass()
    play.pass()
    expect(
      play, here: ["0 timer", "timedOut", "0 timer", "timedOut"], there: ["0 timer", "timedOut", "finished"])
  }

  @Test func `CF 13, M8: a timer that is firing does not keep its mode from being empty`() {
    var play = Play()
    let timer = play.add(.repeatingTimer(every: Self.hour))
    play.main.append(.setDate(timer, 0))
    play.on(timer, [play.onePass])
    play.pass()
    expect(play, here: ["0 timer", "finished", "timedOut"], there: ["0 timer", "timedOut", "timedOut"])
  }

  @Test func `CF 20, M3: a run that returns after a source leaves what is due for later`() {
    var play = Play()
    let source = play.add(.source(order: 0))
    _ = play.add(.timer(first: 0))
    play.main.append(.signal(source))
    play.main.append(
      .run(.init(in: .default, for: 0, .plain(returnAfterSource: true, waitsWhenEmpty: false))))
    expect(play, here: ["0 source", "handledSource"], there: ["0 source", "1 timer", "handledSource"])
  }

  @Test func `CF 18, M3: what comes to be due in afterWaiting was not due at the look`() {
    var play = Play()
    let timer = play.add(.timer(first: Self.hour))
    let observer = play.add(.observer(activities: .afterWaiting, repeats: true, order: 0))
    play.on(observer, [.setDate(timer, 0)])
    play.passThatWaits()
    expect(
      play, here: ["1 afterWaiting", "2 timer", "stopped"],
      there: ["1 afterWaiting", "2 timer", "0 timer", "stopped"])
  }

  @Test func `CF 24, M13: a nested run in afterWaiting finds the timers that the outer one had found`() {
    var play = Play()
    _ = play.add(.timer(first: 0))
    let observer = play.add(.observer(activities: .afterWaiting, repeats: true, order: 0))
    play.on(observer, [play.onePass])
    play.passThatWaits()
    expect(
      play,
      here: ["1 afterWaiting", "0 timer", "2 timer", "stopped", "1 afterWaiting", "2 timer", "stopped"],
      there: ["1 afterWaiting", "timedOut", "0 timer", "2 timer", "stopped"])
  }

  @Test
  func
    `CF 44, M13: a nested run takes the rest of the round over, and what it performed is not of that round`()
  {
    var play = Play()
    let former = play.add(.source(order: 0))
    let latter = play.add(.source(order: 1))
    play.on(former, [play.onePass, .signal(latter)])
    play.main += [.signal(former), .signal(latter)]
    play.pass()
    expect(
      play, here: ["0 source", "1 source", "timedOut", "timedOut"],
      there: ["0 source", "1 source", "timedOut", "1 source", "timedOut"])
  }

  @Test func `CF 39, M20: a block that is queued by a block makes the pass busy`() {
    var play = Play()
    _ = play.add(.observer(activities: [.beforeWaiting, .afterWaiting], repeats: true, order: 0))
    play.blocks = [[.perform(block: 1, modes: [.default])], []]
    play.main.append(.perform(block: 0, modes: [.default]))
    play.passThatWaits()
    expect(
      play, here: ["block 0", "1 timer", "block 1", "stopped"],
      there: ["block 0", "0 beforeWaiting", "0 afterWaiting", "1 timer", "block 1", "stopped"])
  }

  @Test func `CF 41, M19: a nested run in a block performs the blocks behind it`() {
    var play = Play()
    _ = play.add(.source(order: 0))
    play.blocks = [[play.onePass], []]
    play.main += [.perform(block: 0, modes: [.default]), .perform(block: 1, modes: [.default])]
    play.pass()
    expect(
      play, here: ["block 0", "block 1", "timedOut", "timedOut"],
      there: ["block 0", "timedOut", "block 1", "timedOut"])
  }

  @Test func `CF 71, M7: a stop outside runs ends the next one`() {
    var play = Play()
    _ = play.add(.source(order: 0))
    play.main.append(.stop(all: false))
    play.pass()
    expect(play, here: ["stopped"], there: ["timedOut"])
  }

  @Test
  func `M16: what is removed from common leaves every common mode, also if it was never added to common`() {
    var play = Play()
    let timer = play.add(.timer(first: 0))
    play.main.append(.remove(timer, .common))
    play.pass()
    expect(play, here: ["finished"], there: ["0 timer", "timedOut"])
  }
}
