import Mainspring
import MainspringTesting
import Testing

/// Runs that wait for an asynchronous closure, on scripted time and on real loops.
@Suite struct RunUntilDoneTests {
  private struct Failure: Error {}

  @Test func `M65: a run until a closure is done returns its value, and what is in the mode goes on`() throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let beats = Record<Duration>()
    let begin = virtual.now
    let beat = RunLoop.Timer(every: .seconds(600)) { _ in beats.add(begin.duration(to: loop.now)) }
    loop.add(beat, to: .default)
    let elapsed = try virtual.runUntilDone {
      try await loop.sleep(for: .seconds(3600))
      return begin.duration(to: loop.now)
    }
    #expect(elapsed == .seconds(3600))
    #expect(Array(beats.all.prefix(5)) == (1...5).map { .seconds($0 * 600) })
    #expect(virtual.sleepCount == 6, "one a date")
    beat.invalidate()
  }

  @Test func `M65: the closure runs on the loop, and what it throws is thrown`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Bool>()
    #expect(throws: Failure.self) {
      try loop.runUntilDone {
        seen.add(loop.executor.isIsolatingCurrentContext()!)
        await Task.yield()
        seen.add(loop.executor.isIsolatingCurrentContext()!)
        throw Failure()
      }
    }
    #expect(seen.all == [true, true])
  }

  @Test func `M65 M13: a nested run until a closure is done serves jobs`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.perform(in: .default) {
      loop.task { seen.add("another job") }
      try? virtual.runUntilDone {
        try await loop.sleep(for: .seconds(1))
        seen.add("inner")
      }
      seen.add("block over")
    }
    loop.run()
    #expect(seen.all == ["another job", "inner", "block over"])
  }

  @Test func `M65: a stop of all runs, or the limit, ends the run, and the closure's task is cancelled`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let sleeper: @Sendable () async throws -> Void = {
      do { try await loop.sleep(for: .seconds(3600)) } catch {
        seen.add("\(error)")
        throw error
      }
    }
    virtual.at(.seconds(1)) { loop.stop(.all) }
    #expect(throws: RunLoop.UnfinishedError.stopped) { try virtual.runUntilDone(sleeper) }
    loop.run()
    #expect(throws: RunLoop.UnfinishedError.limitPassed) {
      try virtual.runUntilDone(for: .seconds(60), sleeper)
    }
    loop.run()
    #expect(seen.all == ["CancellationError()", "CancellationError()"])
    #expect(loop.contents(of: .common).timers == 0)
  }

  @Test func `M65: a stop of the innermost run is passed over`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    virtual.at(.seconds(1)) { loop.stop() }
    try virtual.runUntilDone { try await loop.sleep(for: .seconds(2)) }
    #expect(virtual.sleepCount >= 2)
  }

  @Test func `M65: a closure that waits for what nobody brings is told as stuck, with what is in the loop`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let (sender, messages) = loop.messages(of: Int.self, capacity: 1)
    let error = #expect(throws: StuckError.self) {
      try virtual.runUntilDone { for await _ in messages {} }
    }
    #expect(try #require(error).waiting.contains("RunUntilDoneTests.swift"), "where the port was made")
    loop.run(in: .default, for: .zero)
    #expect(sender.send(1) == .closed, "cancelled")
  }

  @Test func `M65: a real loop runs until a closure is done that other threads have a part in`() async throws
  {
    let answer = Box<Int>()
    await TestThread.done {
      answer.value = try? RunLoop.current.runUntilDone { await Task.detached { 42 }.value }
    }
    #expect(answer.value == 42)
  }
}
