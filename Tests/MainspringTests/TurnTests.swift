@testable import Mainspring
import MainspringTesting
import Testing

/// Much work of one kind, each piece of it long, beside what waits for a date.
@Suite struct TurnTests {
  /// Longer than a turn in all, and a limit that passes in the midst of it.
  private static let pieces = 2000
  private static let piece = Duration.microseconds(190)
  /// A turn's time, and a callout more.
  private static let slack = Duration.milliseconds(5)

  /// Runs with a limit of 10 ms, expects it kept, and then everything done in order.
  private func expectLimitKept(_ virtual: VirtualRunLoop, _ done: Record<Int>) {
    let begin = virtual.now
    #expect(virtual.loop.run(in: .default, for: .milliseconds(10)).reason == .timedOut)
    #expect(begin.duration(to: virtual.now) < .milliseconds(10) + Self.slack)
    #expect(done.count < Self.pieces)
    virtual.loop.run(in: .default, for: .seconds(60))
    #expect(done.all == Array(0..<Self.pieces), "nothing is lost or turned round")
  }

  @Test func `M2, M19: a flood of blocks does not keep a limit waiting, nor a timer`() {
    let virtual = VirtualRunLoop()
    let done = Record<Int>()
    for number in 0..<Self.pieces {
      virtual.loop.perform(in: .default) {
        done.add(number)
        virtual.spend(Self.piece)
      }
    }
    let fired = Record<RunLoop.Instant>()
    virtual.loop.add(RunLoop.Timer(every: .milliseconds(5)) { _ in fired.add(virtual.now) }, to: .default)
    expectLimitKept(virtual, done)
    let gaps = zip(fired.all, fired.all.dropFirst()).map { $0.duration(to: $1) }
    // Blocks have a turn after what became ready and one before the next look.
    #expect(gaps.allSatisfy { $0 < .milliseconds(5) + Self.slack * 2 })
  }

  @Test func `M2, M19: a flood of blocks does not keep a nested run's limit waiting either`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let lasted = Box<Duration>(.zero)
    for _ in 0..<Self.pieces { loop.perform(in: "inner") { virtual.spend(Self.piece) } }
    loop.perform(in: .default) {
      let begin = virtual.now
      loop.run(in: "inner", for: .milliseconds(2))
      lasted.value = begin.duration(to: virtual.now)
    }
    // The outer one has no limit, and nothing else waits for a date.
    loop.run(in: .default)
    #expect(lasted.value! >= .milliseconds(2) && lasted.value! < .milliseconds(2) + Self.slack)
  }

  @Test func `M2, M3: a flood of messages does not keep a limit waiting`() {
    let virtual = VirtualRunLoop()
    let done = Record<Int>()
    let port = RunLoop.Port<Int> { _, number in
      done.add(number)
      virtual.spend(Self.piece)
    }
    virtual.loop.add(port, to: .default)
    for number in 0..<Self.pieces { port.send(number) }
    expectLimitKept(virtual, done)
  }

  @Test func `M2, M3: a flood of due timers does not keep a limit waiting`() {
    let virtual = VirtualRunLoop()
    let done = Record<Int>()
    for number in 0..<Self.pieces {
      let timer = RunLoop.Timer(after: .zero) { _ in
        done.add(number)
        virtual.spend(Self.piece)
      }
      virtual.loop.add(timer, to: .default)
    }
    expectLimitKept(virtual, done)
  }

  @Test func `M2: however long callouts are, a turn of theirs is sixteen at most once its time is up`() {
    let virtual = VirtualRunLoop()
    let fired = Record<Duration>()
    let begin = virtual.now
    virtual.loop.add(
      RunLoop.Timer(after: .milliseconds(2)) { _ in fired.add(begin.duration(to: virtual.now)) }, to: .default
    )
    for _ in 0..<60 { virtual.loop.perform(in: .default) { virtual.spend(.milliseconds(20)) } }
    virtual.loop.run(in: .default, for: .seconds(5))
    #expect(fired.all == [.milliseconds(20 * Limit.calloutsWhateverTheTime)])
  }

  @Test func `M19: where nothing waits for a date, a drain goes on however long it takes`() {
    let virtual = VirtualRunLoop()
    for _ in 0..<100 { virtual.loop.perform(in: .default) { virtual.spend(.seconds(1)) } }
    #expect(virtual.loop.run().reason == .finished)
    #expect(virtual.passCount == 1)
  }
}
