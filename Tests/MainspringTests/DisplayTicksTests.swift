import Mainspring
import MainspringTesting
import Testing

@Suite struct DisplayTicksTests {
  private typealias Link = RunLoop.DisplayLink

  @Test func `M55: a task that comes late gets the latest tick, which counts those it did not see`() async {
    /// All that is done on the loop's thread, before anything is awaited.
    func iterate() -> RunLoop.DisplayTicks.Iterator {
      let virtual = VirtualRunLoop()
      let link = Link(refreshRate: 100)
      virtual.loop.add(link, to: .common)
      let ticks = link.ticks.makeAsyncIterator()
      virtual.loop.run(in: .default, for: .milliseconds(50))
      virtual.spend(.milliseconds(30))
      virtual.loop.run(in: .default, for: .milliseconds(10))
      link.invalidate()
      return ticks
    }
    var ticks = iterate()
    // Seven ticks, the sixth of which had missed two.
    #expect(await ticks.next()?.missedFrames == 8)
    #expect(await ticks.next() == nil)
  }

  @Test func `M55: a link without a handler ticks as long as somebody iterates, and sleeps afterwards`() {
    let virtual = VirtualRunLoop()
    let link = Link(refreshRate: 100)
    virtual.loop.add(link, to: .default)
    do {
      let ticks = link.ticks.makeAsyncIterator()
      #expect(virtual.loop.run(in: .default, for: .milliseconds(25)).reason == .timedOut)
      #expect(link.lastTick?.missedFrames == 0)
      _ = consume ticks
    }
    #expect(virtual.loop.run(in: .default, for: .milliseconds(25)).reason == .finished)
  }

  @Test func `M55: the iteration over an invalid link ends at once`() async {
    let link = Link(refreshRate: 100)
    link.invalidate()
    var count = 0
    for await _ in link.ticks { count += 1 }
    #expect(count == 0)
  }

  @Test func `M55: every task that iterates has ticks of its own, on real time`() async {
    let host = LoopHost()
    let link = Link(refreshRate: 500)
    host.loop.add(link, to: .common)
    await withTaskGroup(of: UInt64.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var frames: UInt64 = 0
          for await tick in link.ticks {
            frames += tick.missedFrames + 1
            if frames >= 10 { break }
          }
          return frames
        }
      }
      for await frames in group { #expect(frames >= 10) }
    }
    host.end()
  }
}
