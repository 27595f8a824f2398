import Glibc
import LinuxKernel
import Mainspring
import MainspringDisplay
import Testing

/// Against a real server. How fast the machine is, is nobody's business here: every frame is told or counted, however
/// many there were.
@Suite(.serialized) struct PresentTests {
  private typealias Link = RunLoop.DisplayLink
  private typealias Tick = RunLoop.DisplayTick

  /// The ticks of a link on a thread of its own, which ends when `isOver` says so after one.
  private func ticks(
    on screen: VirtualScreen, range: RunLoop.FrameRateRange = .everyFrame,
    until isOver: @escaping @Sendable (Link, [Tick]) -> Bool
  ) throws -> [Tick] {
    let ticks = Locked<[Tick]>([])
    try onOwnThread { loop in
      let link = try Link(onDisplay: screen.name, range: range) { link, tick in
        let all = ticks.withLock { held in
          held.append(tick)
          return held
        }
        if isOver(link, all) { link.invalidate() }
      }
      loop.add(link, to: .common)
      #expect(loop.run().reason == .finished)
      #expect(link.failure == nil)
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

  @Test func `M55: three hundred frames of a display are told, each once`() throws {
    let ticks = try ticks(on: VirtualScreen()) { _, ticks in ticks.count == 300 }
    #expect(ticks.count == 300)
    #expect(accountFor(ticks))
  }

  @Test func `M55: a stall of 200 ms is one tick that has missed eleven frames or twelve`() throws {
    let ticks = try ticks(on: VirtualScreen()) { _, ticks in
      if ticks.count == 20 { usleep(200_000) }
      return ticks.count == 24
    }
    #expect(accountFor(ticks))
    // More, where the machine was busy as well.
    #expect(ticks[20].missedFrames >= 11)
  }

  @Test func `M55: at half the rate every second frame is told, and none of the others counted`() throws {
    let range = RunLoop.FrameRateRange(minimum: 20, maximum: 40, preferred: 30)
    let ticks = try ticks(on: VirtualScreen(), range: range) { _, ticks in ticks.count == 30 }
    #expect(accountFor(ticks, stride: 2))
    #expect(ticks.allSatisfy { $0.sequence % 2 == 0 })
  }

  @Test func `M55: when the server ends, it is told, and the link goes on by a timer`() throws {
    let screen = try VirtualScreen()
    let ticks = Locked<[Tick]>([])
    let failures = Locked<[DisplayError]>([])
    try onOwnThread { loop in
      let link = try Link(onDisplay: screen.name) { link, tick in
        let count = ticks.withLock { held in
          held.append(tick)
          return held.count
        }
        if count == 10 { screen.end() }
        if count > 20, failures.withLock({ $0.count }) > 0 { link.invalidate() }
      } onFailure: { _, error in
        failures.withLock { $0.append(error) }
      }
      loop.add(link, to: .common)
      #expect(loop.run().reason == .finished)
      #expect(link.failure as? DisplayError == .connectionLost)
    }
    #expect(failures.withLock { $0 } == [.connectionLost])
    #expect(ticks.withLock { $0.count } > 20)
    #expect(accountFor(ticks.withLock { $0 }))
  }

  @Test func `M55: a paused link waits for nothing, and goes on where the display is`() throws {
    let screen = try VirtualScreen()
    let ticks = Locked<[Tick]>([])
    try onOwnThread { loop in
      let link = try Link(onDisplay: screen.name) { link, tick in
        let count = ticks.withLock { held in
          held.append(tick)
          return held.count
        }
        if count == 5 { link.isPaused = true }
        if count == 10 { link.invalidate() }
      }
      loop.add(link, to: .common)
      // Nothing is left that could call anybody.
      #expect(loop.run().reason == .finished)
      #expect(ticks.withLock { $0.count } == 5)
      usleep(100_000)
      link.isPaused = false
      #expect(loop.run().reason == .finished)
    }
    let all = ticks.withLock { $0 }
    #expect(all.count == 10)
    #expect(all[5].missedFrames == 0)
    #expect(all[5].sequence > all[4].sequence + 1)
  }

  @Test
  func `M55: a server that ends while nobody listens does not end the program, and is told of afterwards`()
    throws
  {
    let screen = try VirtualScreen()
    let failures = Locked<[DisplayError]>([])
    try onOwnThread { loop in
      let link = try Link(onDisplay: screen.name) { link, tick in
        link.isPaused = true
      } onFailure: { link, error in
        failures.withLock { $0.append(error) }
        link.invalidate()
      }
      loop.add(link, to: .common)
      #expect(loop.run().reason == .finished)
      screen.end()
      link.isPaused = false
      #expect(loop.run().reason == .finished)
    }
    #expect(failures.withLock { $0 } == [.connectionLost])
  }

  @Test func `M55: how many frames the display shows is what the server says of its output`() throws {
    let screen = try VirtualScreen()
    // This server says of its first mode nothing.
    #expect(try Link(onDisplay: screen.name).framesPerSecond == 60)
    try screen.addMode()
    #expect(try Link(onDisplay: screen.name).framesPerSecond == 75)
    let half = RunLoop.FrameRateRange(minimum: 30, maximum: 50)
    #expect(try Link(onDisplay: screen.name, range: half).framesPerSecond == 37.5)
    #expect(try Link(onDisplay: screen.name, refreshRate: 100).framesPerSecond == 100)
  }

  @Test func `M55: outputs that change while frames are told cost none`() throws {
    let screen = try VirtualScreen()
    try screen.addMode()
    let rates = Locked<[Double]>([])
    let ticks = try ticks(on: screen) { link, ticks in
      rates.withLock { $0.append(link.framesPerSecond) }
      if ticks.count % 20 == 0 { try? screen.showMode(ticks.count % 40 == 0 ? "75" : "320x240") }
      return ticks.count == 100
    }
    #expect(ticks.count == 100)
    #expect(accountFor(ticks))
    // What was said was wrong of this server, which shows sixty whatever the mode: what is measured counts.
    #expect(rates.withLock { $0.first } == 75)
    #expect(rates.withLock { $0.last ?? 0 } < 74)
  }

  @Test func `M55: a display, an extension or a window that is not there is said so`() throws {
    #expect(throws: DisplayError.noDisplay(name: ":99999")) { _ = try Link(onDisplay: ":99999") }
    let screen = try VirtualScreen()
    #expect(throws: DisplayError.noWindow) { _ = try Link(onDisplay: screen.name, window: 0x7777777) }
  }
}
