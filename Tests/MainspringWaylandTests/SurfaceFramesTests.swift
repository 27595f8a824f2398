import Glibc
import LinuxKernel
import Mainspring
import MainspringWayland
import Testing

/// Against a real compositor. How fast the machine is, is nobody's business here: every frame is told or counted, however
/// many there were.
@Suite(.serialized) struct SurfaceFramesTests {
  private typealias Link = RunLoop.DisplayLink
  private typealias Tick = RunLoop.DisplayTick

  /// The ticks of a link on a thread of its own, which ends when `isOver` says so after one.
  private func ticks(
    of client: WaylandClient, range: RunLoop.FrameRateRange = .everyFrame, failure: WaylandError? = nil,
    until isOver: @escaping @Sendable (Link, [Tick]) -> Bool
  ) throws -> [Tick] {
    let ticks = Locked<[Tick]>([])
    let thread = try RunLoopThread(named: "surface")
    defer { thread.stop() }
    try thread.performAndWait {
      let loop = RunLoop.current
      let link = try unsafe Link(onSurface: client.surface, of: client.display, range: range) { link, tick in
        let all = ticks.withLock { held in
          held.append(tick)
          return held
        }
        if isOver(link, all) { link.invalidate() }
      }
      loop.add(link, to: .common)
      #expect(loop.run().reason == .finished)
      #expect(link.failure as? WaylandError == failure)
      link.invalidate()
    }
    return ticks.withLock { $0 }
  }

  /// Whether each frame from the first to the last was told or counted.
  private func accountFor(_ ticks: [Tick], stride: UInt64 = 1) -> Bool {
    zip(ticks, ticks.dropFirst()).allSatisfy {
      $1.sequence == $0.sequence + ($1.missedFrames + 1) * stride && $1.timestamp > $0.timestamp
        && $1.targetTimestamp > $1.timestamp
    }
  }

  @Test func `M55: a hundred frames of a surface are told, each once`() throws {
    let compositor = try HeadlessCompositor()
    let ticks = try ticks(of: compositor.client()) { _, ticks in ticks.count == 100 }
    #expect(ticks.count == 100)
    #expect(accountFor(ticks))
  }

  @Test
  func `M55: how many frames there are is what the compositor says of its output, until it is measured`()
    throws
  {
    let compositor = try HeadlessCompositor()
    let client = try compositor.client()
    let link = try unsafe Link(onSurface: client.surface, of: client.display)
    #expect(link.framesPerSecond == 60)
    link.invalidate()
    let given = try unsafe Link(onSurface: client.surface, of: client.display, refreshRate: 50)
    #expect(given.framesPerSecond == 50)
    given.invalidate()
  }

  @Test func `M55: a stall of 200 ms is one tick that has missed as many frames as fit`() throws {
    let compositor = try HeadlessCompositor()
    let ticks = try ticks(of: compositor.client()) { _, ticks in
      if ticks.count == 20 { usleep(200_000) }
      return ticks.count == 24
    }
    #expect(accountFor(ticks))
    let stalled = ticks[20]
    // By its dates: the machine may have been busy as well, and then it was more.
    let frames = ticks[19].timestamp.duration(to: stalled.timestamp) / stalled.duration
    #expect(abs(Double(stalled.missedFrames) + 1 - frames) <= 1)
    #expect(stalled.missedFrames >= 9)
  }

  @Test func `M55: at half the rate every second frame is told, and none of the others counted`() throws {
    let compositor = try HeadlessCompositor()
    let range = RunLoop.FrameRateRange(minimum: 20, maximum: 40, preferred: 30)
    let ticks = try ticks(of: compositor.client(), range: range) { _, ticks in ticks.count == 20 }
    #expect(accountFor(ticks, stride: 2))
    #expect(ticks.allSatisfy { $0.sequence % 2 == 0 })
  }

  @Test func `M55: where the compositor is silent a timer stands in, until it is heard of again`() throws {
    let compositor = try HeadlessCompositor()
    let client = try compositor.client()
    let ticks = try ticks(of: client) { _, ticks in
      if ticks.count == 10 { client.hide() }
      if ticks.count == 40 { client.show() }
      return ticks.count == 80
    }
    #expect(ticks.count == 80)
    #expect(accountFor(ticks))
  }

  @Test func `M55: when the compositor ends, it is told, and the link goes on by a timer`() throws {
    let compositor = try HeadlessCompositor()
    let client = try compositor.client()
    let ticks = try ticks(of: client, failure: .connectionLost) { link, ticks in
      if ticks.count == 10 { compositor.end() }
      return ticks.count > 20 && link.failure != nil
    }
    #expect(ticks.count > 20)
    #expect(accountFor(ticks))
    #expect(throws: WaylandError.connectionLost) {
      _ = try unsafe Link(onSurface: client.surface, of: client.display)
    }
  }

  @Test func `M55: a paused link asks for nothing, and goes on where the compositor is`() throws {
    let compositor = try HeadlessCompositor()
    let client = try compositor.client()
    let thread = try RunLoopThread(named: "surface")
    defer { thread.stop() }
    let ticks = Locked<[Tick]>([])
    try thread.performAndWait {
      let loop = RunLoop.current
      let link = try unsafe Link(onSurface: client.surface, of: client.display) { link, tick in
        let count = ticks.withLock { held in
          held.append(tick)
          return held.count
        }
        if count == 5 { link.isPaused = true }
        if count == 10 { link.invalidate() }
      }
      loop.add(link, to: .common)
      #expect(loop.run().reason == .finished)
      usleep(100_000)
      link.isPaused = false
      #expect(loop.run().reason == .finished)
    }
    let all = ticks.withLock { $0 }
    #expect(all.count == 10)
    // What passed during the pause is none of what a busy machine may have missed after it.
    #expect(all[5].sequence > all[4].sequence + 1 + all[5].missedFrames)
  }

  @Test func `M55: the program's own listeners are called beside a link, whoever reads`() throws {
    let compositor = try HeadlessCompositor()
    let client = try compositor.client()
    let events = unsafe WaylandEvents(of: client.display)
    let answers = Locked(0)
    let thread = try RunLoopThread(named: "events")
    defer { thread.stop() }
    try thread.performAndWait { events.add(to: RunLoop.current) }
    try thread.performAndWait {
      let loop = RunLoop.current
      let link = try unsafe Link(onSurface: client.surface, of: client.display) { link, _ in
        if client.answers >= 20 { return link.invalidate() }
        client.sync()
      }
      loop.add(link, to: .common)
      while link.isValid { loop.run(in: .default, for: .seconds(10), returnAfterSourceHandled: true) }
      answers.withLock { $0 = client.answers }
      events.invalidate()
    }
    #expect(answers.withLock { $0 } >= 20)
  }

  @Test func `M55: the end of a connection is told to whoever reads it, once`() throws {
    let compositor = try HeadlessCompositor()
    let client = try compositor.client()
    let failures = Locked<[WaylandError]>([])
    let thread = try RunLoopThread(named: "events")
    defer { thread.stop() }
    try thread.performAndWait {
      let events = unsafe WaylandEvents(of: client.display) { error in failures.withLock { $0.append(error) }
      }
      events.add(to: RunLoop.current)
      compositor.end()
      #expect(RunLoop.current.run().reason == .finished)
      events.invalidate()
    }
    #expect(failures.withLock { $0 } == [.connectionLost])
  }
}
