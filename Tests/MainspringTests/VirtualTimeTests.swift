import Mainspring
import MainspringTesting
import Testing

/// Asynchronous closures on virtual time.
@Suite struct VirtualTimeTests {
  private struct Failure: Error {}

  @TaskLocal private static var word = "none"

  @Test func `M65: an hour of sleeps passes exactly, by one jump a sleep`() async throws {
    try await withVirtualTime { time in
      for _ in 0..<3600 { try await time.clock.sleep(for: .seconds(1)) }
      #expect(time.elapsed == .seconds(3600))
      #expect(time.jumpCount == 3600)
      try await time.loop.sleep(for: .nanoseconds(1))
      #expect(time.elapsed == .seconds(3600) + .nanoseconds(1))
    }
  }

  @Test
  func `M65: child tasks wake in the order of their dates, and those of one date in that of their beginning`()
    async throws
  {
    for _ in 0..<5 {
      let seen = Record<Int>()
      try await withVirtualTime { time in
        try await withThrowingTaskGroup { group in
          for (index, seconds) in [30, 10, 20, 10, 0, 30].enumerated() {
            group.addTask {
              try await time.clock.sleep(for: .seconds(seconds))
              seen.add(index)
            }
          }
          try await group.waitForAll()
        }
        #expect(time.elapsed == .seconds(30))
      }
      #expect(seen.all == [4, 1, 3, 2, 0, 5])
    }
  }

  @Test func `M65: time stands still while anything can go on`() async throws {
    try await withVirtualTime { time in
      async let sleeper: Void = time.clock.sleep(for: .seconds(1))
      for _ in 0..<1000 {
        await Task.yield()
        #expect(time.elapsed == .zero)
      }
      try await sleeper
      #expect(time.elapsed == .seconds(1))
    }
  }

  @Test func `M65: a cancelled sleep ends at once, and its date is not gone to`() async throws {
    try await withVirtualTime { time in
      await #expect(throws: CancellationError.self) {
        try await withThrowingTaskGroup { group in
          group.addTask { try await time.clock.sleep(for: .seconds(3600)) }
          try await time.clock.sleep(for: .seconds(5))
          group.cancelAll()
          try await group.waitForAll()
        }
      }
      #expect(time.elapsed == .seconds(5))
    }
  }

  @Test func `M65: the caller's cancellation reaches the closure, and its error the caller`() async throws {
    let begun = AsyncStream.makeStream(of: Void.self)
    let test = Task {
      try await withVirtualTime { time in
        begun.continuation.finish()
        while !Task.isCancelled { await Task.yield() }
        try await time.clock.sleep(for: .seconds(1))
      }
    }
    for await _ in begun.stream {}
    test.cancel()
    await #expect(throws: CancellationError.self) { try await test.value }
    await #expect(throws: Failure.self) { try await withVirtualTime { _ in throw Failure() } }
  }

  @Test func `M65: actors of the loop and its ticks are on virtual time`() async throws {
    try await withVirtualTime { time in
      let teller = LoopActor(time.loop.executor)
      for await tick in time.loop.ticks(every: .seconds(60)) {
        await teller.say("\(tick.number) at \(time.elapsed)")
        if tick.number == 3 { break }
      }
      #expect(
        await teller.words == ["1 at 60.0 seconds", "2 at 120.0 seconds", "3 at 180.0 seconds"])
      #expect(teller.executor.isIsolatingCurrentContext() == true)
    }
  }

  @Test func `M65: timers of all clocks are gone to`() async throws {
    try await withVirtualTime { time in
      try await time.loop.sleep(for: .seconds(3600), on: .boot)
      try await time.loop.sleep(for: .seconds(3600), on: .wall)
      #expect(time.elapsed == .seconds(7200))
    }
  }

  @Test func `M65: a closure in another has the time of that`() async throws {
    try await withVirtualTime { outer in
      try await outer.clock.sleep(for: .seconds(1))
      let inner = try await withVirtualTime { inner in
        try await inner.clock.sleep(for: .seconds(2))
        #expect(inner.elapsed == .seconds(2))
        return inner.loop
      }
      #expect(inner === outer.loop)
      #expect(outer.elapsed == .seconds(3))
    }
  }

  @Test func `M65: the closure has the caller's task-local values, and many are on their own`() async throws {
    try await Self.$word.withValue("some") {
      try await withVirtualTime { _ in
        #expect(Self.word == "some")
        await Task.yield()
        #expect(Self.word == "some")
      }
    }
    try await withThrowingTaskGroup { group in
      for hours in 1...8 {
        group.addTask {
          try await withVirtualTime { time in
            for _ in 0..<hours { try await time.clock.sleep(for: .seconds(3600)) }
            #expect(time.elapsed == .seconds(hours * 3600))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `M65: what other threads bring is waited for where no timer is armed`() async throws {
    try await withVirtualTime { time in
      #expect(await Task.detached { 42 }.value == 42)
      #expect(time.elapsed == .zero)
    }
  }

  @Test func `M65: a real descriptor is waited for where no timer is armed`() async throws {
    let pipe = Pipe()
    try await withVirtualTime { time in
      let ready = try time.loop.readiness(of: pipe.readEnd)
      Task.detached { pipe.fill() }
      for await readiness in ready {
        #expect(readiness.contains(.read))
        break
      }
      #expect(time.elapsed == .zero)
    }
  }

  @Test func `M65: a closure that nobody can wake is told as stuck, with what is in the loop, and cancelled`()
    async throws
  {
    let ended = AsyncStream.makeStream(of: Void.self)
    let error = await #expect(throws: StuckError.self) {
      try await withVirtualTime(patience: .milliseconds(1)) { time in
        try await time.clock.sleep(for: .seconds(1))
        let (sender, messages) = time.loop.messages(of: Int.self, capacity: 1)
        for await _ in messages {}
        _ = sender
        ended.continuation.finish()
      }
    }
    #expect(try #require(error).waiting.contains("VirtualTimeTests.swift"), "where the port was made")
    for await _ in ended.stream {}
  }
}
