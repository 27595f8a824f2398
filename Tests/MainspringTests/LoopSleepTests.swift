import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

@Suite struct LoopSleepTests {
  @Test func `M58: a sleep by the loop takes its time exactly, and leaves no timer`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let times = Record<Duration>()
    let begin = virtual.now
    loop.task {
      for duration in [Duration.seconds(3600), .zero, .nanoseconds(1), .seconds(-1)] {
        try? await loop.sleep(for: duration)
        times.add(begin.duration(to: virtual.now))
      }
    }
    #expect(loop.run().reason == .finished)
    let hour = Duration.seconds(3600)
    #expect(times.all == [hour, hour, hour + .nanoseconds(1), hour + .nanoseconds(1)])
    #expect(loop.contents(of: .default).timers == 0)
  }

  @Test func `M58: a sleep may be on another clock, and have a tolerance`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let times = Record<Duration>()
    let begin = virtual.now
    virtual.at(.seconds(1)) { virtual.suspend(for: .seconds(8)) }
    loop.task {
      try? await loop.sleep(for: .seconds(10), on: .boot)
      times.add(begin.duration(to: virtual.now))
    }
    loop.task {
      try? await loop.sleep(for: .seconds(4), tolerance: .seconds(2))
      times.add(begin.duration(to: virtual.now))
    }
    loop.add(RunLoop.Timer(after: .seconds(5)) { _ in }, to: .default)
    loop.run()
    #expect(times.all == [.seconds(2), .seconds(5)])
  }

  @Test func `M58: a thousand sleeps that are cancelled leave no timer, and hear of it at once`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let heard = Record<Bool>()
    let begin = virtual.now
    let tasks = (0..<1000).map { _ in
      loop.task {
        do { try await loop.sleep(for: .seconds(1000)) } catch { heard.add(error is CancellationError) }
      }
    }
    loop.turn()
    #expect(loop.contents(of: .common).timers == 1000)
    for task in tasks { task.cancel() }
    #expect(loop.contents(of: .common).timers == 0)
    #expect(loop.run().reason == .finished)
    #expect(heard.all == Array(repeating: true, count: 1000))
    #expect(virtual.now == begin)
  }

  @Test func `M58: cancelled from other threads, sleeps of a loop leave no timer`() async throws {
    let thread = try RunLoopThread(named: "sleeper")
    let loop = thread.loop
    let tasks = (0..<1000).map { _ in Task.detached { try await loop.sleep(for: .seconds(1000)) } }
    let counter = LoopActor(loop.executor)
    let counts = Record<Int>()
    let count: @Sendable () -> Void = { counts.add(loop.contents(of: .common).timers) }
    repeat { await counter.call(count) } while counts.all.last != 1000
    for task in tasks { task.cancel() }
    for task in tasks {
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
    }
    await counter.call(count)
    #expect(counts.all.last == 0)
  }

  @Test func `M58: a task that was cancelled before does not sleep`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let heard = Record<Bool>()
    let task = loop.task {
      do { try await loop.sleep(for: .seconds(1)) } catch { heard.add(error is CancellationError) }
    }
    task.cancel()
    loop.run()
    #expect(heard.all == [true])
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M58: who sleeps by a loop hears of its end, and of its having ended`() async throws {
    let thread = try RunLoopThread(named: "sleeper")
    let loop = thread.loop
    let sleeper = Task.detached { try await loop.sleep(for: .seconds(1000)) }
    let counter = LoopActor(loop.executor)
    let counts = Record<Int>()
    repeat { await counter.call { counts.add(loop.contents(of: .common).timers) } } while counts.all.last == 0
    await Task.detached { thread.waitForEnd() }.value
    let result = await sleeper.result
    #expect(throws: RunLoop.PerformError.loopEnded) { try result.get() }
    await #expect(throws: RunLoop.PerformError.loopEnded) { try await loop.sleep(for: .zero) }
  }
}

extension RunLoopThread {
  fileprivate func waitForEnd() { stop() }
}
