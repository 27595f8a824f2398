import Mainspring
import MainspringTesting
import Testing

@Suite struct DisplayLinkTests {
  private typealias Link = RunLoop.DisplayLink
  private typealias Tick = RunLoop.DisplayTick

  /// A loop with a link in the common modes, its ticks, and when it was called, in ms after the beginning.
  private final class Stage: Sendable {
    let virtual = VirtualRunLoop()
    let ticks = Record<Tick>()
    let calls = Record<Int>()
    let link: Link

    init(
      rate: Double = 100, range: RunLoop.FrameRateRange = .everyFrame, mode: RunLoop.Mode = .common,
      work: @escaping @Sendable (VirtualRunLoop, Link, Int) -> Void = { _, _, _ in }
    ) {
      let (virtual, begin, ticks, calls) = (virtual, virtual.now, ticks, calls)
      link = Link(refreshRate: rate, range: range) { link, tick in
        calls.add(Int(begin.duration(to: virtual.now) / .milliseconds(1)))
        ticks.add(tick)
        work(virtual, link, ticks.count)
      }
      virtual.loop.add(link, to: mode)
    }

    func run(_ milliseconds: Int, in mode: RunLoop.Mode = .default) {
      virtual.loop.run(in: mode, for: .milliseconds(milliseconds), whenEmpty: .wait)
    }

    var sequences: [UInt64] {
      let first = ticks.all.first?.sequence ?? 0
      return ticks.all.map { $0.sequence - first }
    }
    var missed: [UInt64] { ticks.all.map(\.missedFrames) }
  }

  @Test func `M55: a tick says for which frame it is, and when the next is due`() throws {
    let stage = Stage()
    let begin = stage.virtual.now
    stage.run(30)
    #expect(stage.calls.all == [10, 20, 30])
    let tick = try #require(stage.ticks.all.first)
    #expect(tick.timestamp == begin.advanced(by: .milliseconds(10)))
    #expect(tick.targetTimestamp == begin.advanced(by: .milliseconds(20)))
    #expect(tick.duration == .milliseconds(10))
    #expect(stage.sequences == [0, 1, 2])
    #expect(stage.missed == [0, 0, 0])
    #expect(stage.link.lastTick == stage.ticks.all.last)
  }

  @Test func `M55: a loop that is stuck for twelve frames gets one tick, which counts those that it missed`()
  {
    let stage = Stage(rate: 60)
    let virtual = stage.virtual
    virtual.loop.add(
      RunLoop.Timer(after: .milliseconds(60)) { _ in virtual.spend(.milliseconds(200)) }, to: .default)
    stage.run(300)
    #expect(stage.ticks.all.first { $0.missedFrames > 0 }?.missedFrames == 11)
    #expect(stage.missed.filter { $0 > 0 }.count == 1)
    // Every frame is either told or counted.
    #expect(stage.sequences.last! + 1 == UInt64(stage.ticks.count) + 11)
  }

  @Test func `M55: after its own handler took three frames, the tick is for the frame that is shown now`() {
    let stage = Stage { virtual, _, count in if count == 2 { virtual.spend(.milliseconds(33)) } }
    stage.run(70)
    #expect(stage.calls.all == [10, 20, 53, 60, 70])
    #expect(stage.sequences == [0, 1, 4, 5, 6])
    #expect(stage.missed == [0, 0, 2, 0, 0])
    let late = stage.ticks.all[2]
    #expect(late.timestamp.duration(to: stage.ticks.all[3].timestamp) == .milliseconds(10))
  }

  @Test func `M55: thirty thousand frames of a rate that is no whole number of nanoseconds do not drift`() {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    let count = Box(0)
    let link = Link(refreshRate: 60) { link, tick in
      count.value = count.value! + 1
      #expect(tick.missedFrames == 0)
      if count.value == 60 * 500 {
        #expect(tick.timestamp == begin.advanced(by: .seconds(500)))
        link.invalidate()
      }
    }
    virtual.loop.add(link, to: .default)
    virtual.loop.run()
    #expect(virtual.now == begin.advanced(by: .seconds(500)))
  }

  @Test func `M55: links of one rate are called in one pass, whenever they were made`() {
    let stage = Stage()
    stage.virtual.spend(.milliseconds(3))
    let other = Record<RunLoop.Instant>()
    let virtual = stage.virtual
    virtual.loop.add(Link(refreshRate: 100) { _, tick in other.add(tick.timestamp) }, to: .common)
    stage.run(27)
    #expect(stage.ticks.all.map(\.timestamp) == other.all)
    #expect(virtual.sleepCount == 3)
  }

  @Test func `M55: the range picks a divisor of the display's rate, and the target is the link's next frame`()
  {
    let stage = Stage(range: RunLoop.FrameRateRange(minimum: 20, maximum: 60, preferred: 30))
    stage.run(200)
    #expect(stage.link.framesPerSecond == 100.0 / 3)
    #expect(zip(stage.calls.all, stage.calls.all.dropFirst()).allSatisfy { $1 - $0 == 30 })
    #expect(stage.ticks.all.allSatisfy { $0.timestamp.duration(to: $0.targetTimestamp) == .milliseconds(30) })
    #expect(stage.ticks.all.allSatisfy { $0.duration == .milliseconds(10) && $0.missedFrames == 0 })
  }

  @Test(arguments: [
    (60, 1, 60, 60, 1), (60, 1, 60, 30, 2), (60, 1, 60, 25, 2), (60, 1, 60, 24, 3), (120, 80, 120, 120, 1),
    (120, 30, 60, 60, 2), (60, 80, 120, 120, 1), (60, 35, 50, 40, 2), (144, 24, 48, 48, 3), (60, 1, 1, 1, 60),
    // A display of 60.02 has the rate 60.
    (60.02, 60, 60, 60, 1),
  ])
  func `M55: of the display's divisors the one in the range that is nearest to the preferred rate`(
    rate: Double, minimum: Double, maximum: Double, preferred: Double, divisor: Int
  ) {
    let range = RunLoop.FrameRateRange(minimum: minimum, maximum: maximum, preferred: preferred)
    let link = Link(refreshRate: rate, range: range)
    #expect((rate / link.framesPerSecond).rounded() == Double(divisor))
  }

  @Test func `M55: frames that a slower link was not to be called for are not missed`() {
    let stage = Stage(range: RunLoop.FrameRateRange(50)) { virtual, _, count in
      if count == 1 { virtual.spend(.milliseconds(65)) }
    }
    stage.run(200)
    // Frames 20 ms apart: three of them lie in 65 ms, and the last of these is told.
    #expect(stage.missed.prefix(3) == [0, 2, 0])
  }

  @Test func `M55: a new range holds from the next frame on`() {
    let stage = Stage { _, link, count in
      if count == 2 { link.preferredFrameRateRange = RunLoop.FrameRateRange(20) }
    }
    stage.run(200)
    #expect(zip(stage.calls.all, stage.calls.all.dropFirst()).map { $1 - $0 }.dropFirst(2) == [50, 50, 50])
    #expect(stage.missed.allSatisfy { $0 == 0 })
  }

  @Test func `M55: a link that pauses in its handler does not wake the loop again`() {
    let stage = Stage(mode: .default) { _, link, count in if count == 2 { link.isPaused = true } }
    let begin = stage.virtual.now
    #expect(stage.virtual.loop.run().reason == .finished)
    #expect(stage.virtual.now == begin.advanced(by: .milliseconds(20)))
  }

  @Test func `M55: a paused link sleeps, and what passes meanwhile is not missed`() {
    let stage = Stage { _, link, count in if count == 2 { link.isPaused = true } }
    let virtual = stage.virtual
    virtual.at(.milliseconds(95)) { stage.link.isPaused = false }
    let sleeps = virtual.sleepCount
    stage.run(110)
    #expect(stage.calls.all == [10, 20, 100, 110])
    #expect(stage.missed == [0, 0, 0, 0])
    // Two ticks, the message, two ticks.
    #expect(virtual.sleepCount - sleeps <= 6)
  }

  @Test func `M55: a link that nobody listens to does not keep a run going`() {
    let virtual = VirtualRunLoop()
    let link = Link(refreshRate: 100)
    virtual.loop.add(link, to: .default)
    #expect(virtual.loop.run().reason == .finished)
    let paused = Stage(mode: .default)
    paused.link.isPaused = true
    #expect(paused.virtual.loop.run().reason == .finished)
    #expect(paused.ticks.isEmpty)
  }

  @Test
  func
    `M55: in the default mode it stands still while the loop tracks, and counts that; in common it goes on`()
  {
    let stage = Stage(mode: .default)
    let common = Record<UInt64>()
    stage.virtual.loop.add(Link(refreshRate: 100) { _, tick in common.add(tick.missedFrames) }, to: .common)
    stage.run(20)
    stage.run(45, in: .tracking)
    #expect(stage.calls.all == [10, 20])
    stage.run(15)
    #expect(stage.calls.all == [10, 20, 65, 70, 80])
    #expect(stage.missed == [0, 0, 3, 0, 0])
    #expect(common.all == [0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func `M55: moved from one mode to the common ones it loses nothing; added anew it begins anew`() {
    let stage = Stage(mode: .default) { virtual, link, count in
      if count == 2 {
        virtual.loop.add(link, to: .common)
        virtual.spend(.milliseconds(35))
      }
    }
    stage.run(60)
    #expect(stage.missed == [0, 0, 2, 0])
    #expect(stage.virtual.loop.contains(stage.link, in: .tracking))
    stage.virtual.loop.remove(stage.link, from: .common)
    stage.run(100)
    #expect(stage.ticks.count == 4)
    stage.virtual.loop.add(stage.link, to: .tracking)
    stage.run(20, in: .tracking)
    #expect(stage.missed == [0, 0, 2, 0, 0, 0])
  }

  @Test func `M55: invalidated in its handler it is not called again, and what it holds is freed`() {
    let flag = ReleaseFlag()
    let virtual = VirtualRunLoop()
    let calls = Record<Bool>()
    do {
      let token = ReleaseToken(flag)
      let link = Link(refreshRate: 100) { link, _ in
        token.touch()
        calls.add(true)
        virtual.spend(.milliseconds(50))
        link.invalidate()
      }
      virtual.loop.add(link, to: .common)
    }
    #expect(virtual.loop.run().reason == .finished)
    #expect(calls.count == 1)
    #expect(flag.isRaised)
    #expect(virtual.loop.contents(of: .default).timers == 0)
  }

  @Test func `M55: how much of the frame is left is told while it ticks, whatever took longer`() {
    let stage = Stage()
    let (virtual, link) = (stage.virtual, stage.link)
    #expect(link.frameTimeLeft == nil)
    stage.run(10)
    #expect(link.frameTimeLeft == .milliseconds(10))
    virtual.spend(.milliseconds(4))
    #expect(link.frameTimeLeft == .milliseconds(6))
    virtual.spend(.milliseconds(23))
    #expect(link.frameTimeLeft == .milliseconds(3))
    link.isPaused = true
    #expect(link.frameTimeLeft == nil)
  }

  @Test(arguments: [0.0, -1, 20_000])
  func `M55: a rate that no display has is refused`(rate: Double) async {
    await #expect(processExitsWith: .failure) { [rate] in _ = Link(refreshRate: rate) }
  }

  @Test func `M55: a preferred rate outside its range is refused`() async {
    await #expect(processExitsWith: .failure) {
      _ = RunLoop.FrameRateRange(minimum: 10, maximum: 20, preferred: 30)
    }
  }
}
