@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct IdleQueueTests {
  typealias Queue = RunLoop.IdleQueue

  /// A loop with an idle queue in the common modes, and what was done.
  private final class Stage: Sendable {
    let virtual = VirtualRunLoop()
    let done = Record<String>()
    let queue: Queue

    init(_ queue: Queue = Queue(), in mode: RunLoop.Mode = .common) {
      self.queue = queue
      virtual.loop.add(queue, to: mode)
    }

    var loop: RunLoop { virtual.loop }

    /// Adds a task that takes so long.
    @discardableResult
    func add(
      _ name: String, key: Queue.Key? = nil, priority: Queue.Priority = .normal,
      taking length: Duration = .zero,
      onEnd: (@Sendable (Queue.Ending) -> Void)? = nil
    ) -> Queue.Handle? {
      let (virtual, done) = (virtual, done)
      return queue.add(key: key, priority: priority, onEnd: onEnd) {
        virtual.spend(length)
        done.add(name)
      }
    }

    /// How many had been done at each beforeWaiting, before the queue's turn.
    func recordTurns() -> Record<Int> {
      let (turns, done) = (Record<Int>(), done)
      loop.add(RunLoop.Observer(.afterWaiting) { _, _ in turns.add(done.count) }, to: .common)
      return turns
    }
  }

  // MARK: the first screen

  @Test func `M52: idle work is done before the loop sleeps, without input, in order`() {
    let stage = Stage()
    for name in ["a", "b", "c"] { stage.add(name) }
    stage.loop.perform(in: .default) { stage.done.add("block") }
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.done.all == ["block", "a", "b", "c"])
    #expect(stage.virtual.sleepCount == 0)
  }

  @Test func `M52: a turn ends with its number of tasks, and what is left follows without a sleep`() {
    let stage = Stage(Queue(budget: Queue.Budget(time: .seconds(1), tasks: 3)))
    let turns = stage.recordTurns()
    for number in 1...7 { stage.add("\(number)") }
    stage.loop.run(in: .default)
    #expect(turns.all == [3, 6, 7])
    #expect(stage.virtual.sleepCount == 0)
  }

  @Test func `M52: a turn ends with its time, after the task that is on`() {
    let stage = Stage(Queue(budget: Queue.Budget(time: .milliseconds(4))))
    let turns = stage.recordTurns()
    for number in 1...6 { stage.add("\(number)", taking: .milliseconds(1.5)) }
    stage.loop.run(in: .default)
    // Three are 4.5 ms.
    #expect(turns.all == [3, 6])
  }

  @Test func `M52: between turns the loop does what else there is`() {
    let stage = Stage(Queue(budget: Queue.Budget(tasks: 1)))
    let port = RunLoop.Port<Int> { port, message in
      stage.done.add("message \(message)")
      if message == 2 { port.invalidate() }
    }
    stage.loop.add(port, to: .default)
    stage.queue.add {
      stage.done.add("a")
      port.send(1)
    }
    stage.queue.add {
      stage.done.add("b")
      port.send(2)
    }
    stage.add("c")
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a", "message 1", "b", "message 2", "c"])
  }

  @Test func `M52: a turn ends when a timer is due, with a task at least`() {
    let stage = Stage(Queue(budget: Queue.Budget(time: .milliseconds(100))))
    stage.loop.add(RunLoop.Timer(after: .milliseconds(5)) { _ in stage.done.add("timer") }, to: .default)
    for number in 1...4 { stage.add("\(number)", taking: .milliseconds(3)) }
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["1", "2", "timer", "3", "4"])
  }

  @Test func `M52: a turn ends when something is sent to the loop`() {
    let stage = Stage()
    let loop = stage.loop
    stage.queue.add {
      stage.done.add("a")
      loop.actingFromElsewhere { _ = loop.perform(in: .default) { stage.done.add("block") } }
    }
    stage.add("b")
    loop.run(in: .default)
    #expect(stage.done.all == ["a", "block", "b"])
  }

  @Test func `M52: a turn ends with a stop, and what is left is the next run's`() {
    let stage = Stage()
    let loop = stage.loop
    stage.queue.add { loop.stop() }
    stage.add("b")
    #expect(loop.run(in: .default).reason == .stopped)
    #expect(stage.done.isEmpty)
    loop.run(in: .default)
    #expect(stage.done.all == ["b"])
  }

  @Test func `M2, M52: a source that signals itself cannot starve idle work`() {
    let stage = Stage()
    let source = RunLoop.Source { source in
      if stage.done.isEmpty { source.signal() } else { source.invalidate() }
    }
    stage.loop.add(source, to: .default)
    source.signal()
    stage.add("a")
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a"])
  }

  @Test func `M52: a task from another thread wakes a loop that sleeps in one of the queue's modes`() {
    let stage = Stage()
    let (virtual, begin) = (stage.virtual, stage.virtual.now)
    let date = Box<RunLoop.Instant>()
    virtual.at(.milliseconds(7)) {
      virtual.loop.actingFromElsewhere { _ = stage.queue.add { date.value = virtual.now } }
    }
    stage.loop.run(in: .tracking, for: .milliseconds(20), whenEmpty: .wait)
    #expect(date.value == begin.advanced(by: .milliseconds(7)))
  }

  @Test func `M52: what another observer of beforeWaiting adds behind the queue is not slept over`() {
    let stage = Stage()
    let isFirst = Box(true)
    stage.loop.add(
      RunLoop.Observer(.beforeWaiting, order: .max) { _, _ in
        if isFirst.value == true { stage.add("a") }
        isFirst.value = false
      }, to: .default)
    stage.loop.run(in: .default, for: .milliseconds(1), whenEmpty: .wait)
    #expect(stage.done.all == ["a"])
    #expect(stage.virtual.sleepCount == 1)
  }

  @Test func `M8, M52: tasks keep the queue's modes from being empty, and no others`() {
    let stage = Stage(in: .tracking)
    #expect(stage.loop.run(in: .tracking).reason == .finished)
    #expect(stage.virtual.passCount == 0)
    stage.add("a")
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.virtual.passCount == 0)
    stage.loop.run(in: .tracking)
    #expect(stage.done.all == ["a"])
    // Cancelled, it keeps nothing.
    stage.add("b")?.cancel()
    stage.virtual.trace.clear()
    stage.loop.run(in: .tracking)
    #expect(stage.virtual.passCount == 0)
  }

  // MARK: order, keys, room

  @Test func `M52: higher priorities first, also before what is left of lower ones`() {
    let stage = Stage()
    stage.add("low", priority: .low)
    stage.add("normal")
    stage.queue.add(priority: .high) {
      stage.done.add("high")
      stage.add("high again", priority: .high)
    }
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["high", "high again", "normal", "low"])
  }

  @Test func `M52: a task of the same key takes the waiting one's place`() {
    let stage = Stage()
    let endings = Record<String>()
    stage.add("old", key: "cell") { endings.add("old \($0)") }
    stage.add("other", key: 7) { endings.add("other \($0)") }
    stage.add("new", key: "cell") { endings.add("new \($0)") }
    #expect(stage.queue.count == 2)
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["new", "other"])
    #expect(endings.all == ["old cancelled", "new finished", "other finished"])
    // The key is free again.
    stage.add("again", key: "cell")
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["new", "other", "again"])
  }

  @Test func `M52: a task of the same key and another priority goes to the end of that`() {
    let stage = Stage()
    stage.add("first", priority: .high)
    stage.add("old", key: "cell")
    stage.add("new", key: "cell", priority: .high)
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["first", "new"])
  }

  @Test func `M52: what is cancelled, by handle or by key, is not done`() throws {
    let stage = Stage()
    let endings = Record<String>()
    let a = try #require(stage.add("a") { endings.add("a \($0)") })
    stage.add("b", key: "b")
    stage.add("c")
    #expect(a.cancel())
    #expect(!a.cancel())
    #expect(a.hasEnded)
    #expect(stage.queue.contains(key: "b"))
    #expect(stage.queue.cancel(key: "b"))
    #expect(!stage.queue.cancel(key: "b"))
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["c"])
    #expect(endings.all == ["a cancelled"])
  }

  @Test func `M52: a handle of a task that is over does not meet the one that has its place`() throws {
    let stage = Stage()
    let a = try #require(stage.add("a"))
    stage.loop.run(in: .default)
    stage.add("b")
    #expect(!a.cancel())
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a", "b"])
  }

  @Test func `M52: cancelAll leaves nothing`() {
    let stage = Stage()
    for name in ["a", "b"] { stage.add(name) }
    stage.queue.cancelAll()
    #expect(stage.queue.count == 0)
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.done.isEmpty)
  }

  @Test func `M52: a full queue refuses, or drops the oldest or the newest, and says so`() {
    for (policy, expected) in [
      (Queue.Overflow.refuse, ["a", "b"]), (.dropOldest, ["c", "d"]), (.dropNewest, ["a", "d"]),
    ] {
      let stage = Stage(Queue(capacity: 2, whenFull: policy))
      let dropped = Record<String>()
      for name in ["a", "b", "c", "d"] {
        let handle = stage.add(name) { if case .dropped = $0 { dropped.add(name) } }
        #expect((handle == nil) == (policy == .refuse && ["c", "d"].contains(name)))
      }
      #expect(stage.queue.count == 2)
      stage.loop.run(in: .default)
      #expect(stage.done.all == expected)
      #expect(dropped.all == (policy == .refuse ? [] : policy == .dropOldest ? ["a", "b"] : ["b", "c"]))
    }
  }

  @Test func `M52: a full queue drops of the lowest priority, and never for a lower one`() {
    let stage = Stage(Queue(capacity: 2, whenFull: .dropOldest))
    stage.add("high", priority: .high)
    stage.add("normal")
    #expect(stage.add("low", priority: .low) == nil)
    stage.add("high 2", priority: .high)
    #expect(stage.add("normal 2") == nil)
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["high", "high 2"])
  }

  // MARK: steps and errors

  @Test func `M52: a task in steps is told what is left of the turn, and goes on in the next`() {
    let stage = Stage(Queue(budget: Queue.Budget(time: .milliseconds(4), tasks: 2)))
    let virtual = stage.virtual
    let left = Record<Duration>()
    let end = Box<String>()
    stage.add("a", taking: .milliseconds(1))
    stage.queue.add(
      onEnd: { end.value = "\($0)" },
      inSteps: { slice in
        left.add(slice.remaining)
        #expect(!slice.isOver)
        virtual.spend(.milliseconds(5))
        #expect(slice.isOver)
        #expect(slice.remaining == .zero)
        stage.done.add("step")
        return stage.done.count < 4 ? .unfinished : .finished
      })
    stage.add("b")
    let turns = stage.recordTurns()
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a", "step", "step", "step", "b"])
    #expect(turns.all == [2, 3, 4, 5])
    #expect(left.all == [.milliseconds(3), .milliseconds(4), .milliseconds(4)])
    #expect(end.value == "finished")
  }

  @Test func `M52: a task in steps that is cancelled, by itself or between them, is not called again`() throws
  {
    let stage = Stage()
    let queue = stage.queue
    let endings = Record<String>()
    let steps: @Sendable (String) -> Void = { name in
      queue.add(
        key: Queue.Key(name), onEnd: { endings.add("\(name) \($0)") },
        inSteps: { _ in
          stage.done.add(name)
          queue.cancel(key: Queue.Key(name))
          return .unfinished
        })
    }
    steps("a")
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a"])
    #expect(endings.all == ["a cancelled"])
  }

  @Test func `M52: an error goes to the handler, with the key, and the others are done`() {
    struct Bad: Error {}
    let errors = Record<String>()
    let endings = Record<String>()
    let stage = Stage(Queue(onError: { _, error, key in errors.add("\(error is Bad) \(key == "cell")") }))
    stage.queue.add(key: "cell", onEnd: { if case .failed = $0 { endings.add("failed") } }) { throw Bad() }
    stage.queue.add(inSteps: { _ in throw Bad() })
    stage.add("a")
    stage.loop.run(in: .default)
    #expect(errors.all == ["true true", "true false"])
    #expect(endings.all == ["failed"])
    #expect(stage.done.all == ["a"])
  }

  // MARK: tracking

  @Test func `M52: in the tracking mode only what fits into the frame is begun, and the next frame goes on`()
  {
    let virtual = VirtualRunLoop()
    let frame = Box<RunLoop.Instant>()
    let late = Record<Duration>()
    let done = Record<Int>()
    let queue = Queue(
      trackingBudget: Queue.Budget(time: .seconds(1), tasks: 100),
      frameTimeLeft: { frame.value.map { virtual.now.duration(to: $0) - .milliseconds(4) } })
    virtual.loop.add(queue, to: .common)
    let begin = virtual.now
    // A frame every 16 ms; drawing takes the last 4 of them.
    let tick = RunLoop.Timer(every: .milliseconds(16)) { timer in
      late.add(timer.fireDate!.duration(to: virtual.now))
      frame.value = virtual.now.advanced(by: .milliseconds(16))
    }
    virtual.loop.add(tick, to: .tracking)
    frame.value = begin.advanced(by: .milliseconds(16))
    for number in 1...20 {
      queue.add {
        virtual.spend(.milliseconds(5))
        done.add(number)
        if number == 20 { virtual.loop.stop() }
      }
    }
    virtual.loop.run(in: .tracking)
    #expect(done.all == Array(1...20))
    // 12 ms hold two tasks of 5: in the first frame a third is begun, for how long they take is not known yet.
    #expect(late.all.dropFirst().allSatisfy { $0 == .zero })
    let frames = begin.duration(to: virtual.now) / .milliseconds(16)
    #expect(frames <= 11)
  }

  @Test func `M52, M55: beside a display link idle work costs no frame`() {
    let virtual = VirtualRunLoop()
    let (missed, done) = (Record<UInt64>(), Record<Int>())
    let link = RunLoop.DisplayLink(refreshRate: 100) { _, tick in
      missed.add(tick.missedFrames)
      virtual.spend(.milliseconds(3))
    }
    virtual.loop.add(link, to: .common)
    let queue = Queue(
      trackingBudget: Queue.Budget(time: .seconds(1), tasks: 1000), frameTimeLeft: { link.frameTimeLeft })
    virtual.loop.add(queue, to: .common)
    virtual.loop.run(in: .tracking, for: .milliseconds(15))
    for number in 1...60 {
      queue.add {
        virtual.spend(.milliseconds(2))
        done.add(number)
        if number == 60 { virtual.loop.stop() }
      }
    }
    let begin = virtual.now
    virtual.loop.run(in: .tracking)
    #expect(missed.all.allSatisfy { $0 == 0 })
    #expect(done.all == Array(1...60))
    // Three of them fit into what a frame leaves.
    #expect(begin.duration(to: virtual.now) <= .milliseconds(230))
  }

  @Test func `M52: where a frame leaves no time the loop sleeps, and looks again`() {
    let virtual = VirtualRunLoop()
    let isOver = Box(true)
    let done = Record<RunLoop.Instant>()
    let queue = Queue(frameTimeLeft: { isOver.value == true ? .milliseconds(-1) : .milliseconds(9) })
    virtual.loop.add(queue, to: .common)
    let begin = virtual.now
    queue.add { done.add(virtual.now) }
    virtual.at(.milliseconds(10)) { isOver.value = false }
    virtual.loop.run(in: .tracking)
    #expect(done.count == 1)
    #expect(begin.duration(to: done.all[0]) == .milliseconds(12))
    // No spinning: one sleep for each look, and one that the event interrupted.
    #expect(virtual.sleepCount <= 4)
  }

  @Test func `M52: frames that never leave time do not starve idle work`() {
    let virtual = VirtualRunLoop()
    let done = Record<Duration>()
    let queue = Queue(frameTimeLeft: { .zero })
    virtual.loop.add(queue, to: .common)
    let begin = virtual.now
    for _ in 1...3 { queue.add { done.add(begin.duration(to: virtual.now)) } }
    virtual.loop.run(in: .tracking)
    #expect(done.all == [100, 200, 300].map { .milliseconds($0) })
  }

  @Test func `M52: in the default mode no frame limits idle work, nor after it has rested`() {
    let virtual = VirtualRunLoop()
    let done = Record<Int>()
    let queue = Queue(frameTimeLeft: { .zero })
    virtual.loop.add(queue, to: .common)
    for number in 1...3 { queue.add { done.add(number) } }
    virtual.loop.run(in: .tracking, for: .milliseconds(10))
    #expect(done.isEmpty)
    let now = virtual.now
    virtual.loop.run(in: .default, for: .milliseconds(1))
    #expect(done.all == [1, 2, 3])
    #expect(virtual.now <= now.advanced(by: .milliseconds(1)))
  }

  // MARK: asynchronous tasks

  @Test func `M52: an asynchronous task keeps the run going, and its end is told on the loop's thread`() {
    onOwnThread { loop in
      let queue = Queue()
      loop.add(queue, to: .default)
      let seen = Record<String>()
      queue.add(
        onEnd: { seen.add("\($0) \(loop === RunLoop.current)") },
        asynchronous: {
          await Task.yield()
          seen.add("ran")
        })
      #expect(loop.run(in: .default).reason == .finished)
      #expect(seen.all == ["ran", "finished true"])
    }
  }

  @Test func `M52: of asynchronous tasks as many are under way as may be, and others pass by`() {
    onOwnThread { loop in
      let queue = Queue(asynchronousAtOnce: 1)
      loop.add(queue, to: .default)
      let seen = Record<String>()
      let gate = AsyncStream<Void>.makeStream()
      for number in 1...3 {
        queue.add(asynchronous: {
          seen.add("begin \(number)")
          if number == 1 { for await _ in gate.stream { break } }
          seen.add("end \(number)")
        })
      }
      queue.add {
        seen.add("plain")
        gate.continuation.yield()
      }
      loop.run(in: .default)
      #expect(seen.all.filter { $0 != "plain" } == (1...3).flatMap { ["begin \($0)", "end \($0)"] })
      #expect(seen.all.contains("plain"))
    }
  }

  @Test
  func `M52: an asynchronous task that is cancelled, or replaced by its key, is told and ends as cancelled`()
  {
    onOwnThread { loop in
      let queue = Queue()
      loop.add(queue, to: .default)
      let endings = Record<String>()
      let never: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(3600)) }
      queue.add(key: "a", onEnd: { endings.add("a \($0)") }, asynchronous: never)
      queue.add {
        queue.add(key: "a", onEnd: { endings.add("a again \($0)") }) {}
      }
      loop.run(in: .default)
      #expect(Set(endings.all) == ["a cancelled", "a again finished"])
    }
  }

  @Test func `M52: the error of an asynchronous task goes to the handler on the loop's thread`() {
    struct Bad: Error {}
    onOwnThread { loop in
      let errors = Record<Bool>()
      let queue = Queue(onError: { _, error, _ in errors.add(error is Bad && loop === RunLoop.current) })
      loop.add(queue, to: .default)
      queue.add(asynchronous: { throw Bad() })
      loop.run(in: .default)
      #expect(errors.all == [true])
    }
  }

  // MARK: nesting and ends

  @Test func `M52: a run that a task nests does not call the queue, nor wait for it`() {
    let stage = Stage()
    let loop = stage.loop
    let reasons = Record<RunLoop.RunResult.Reason>()
    stage.queue.add {
      stage.add("inner")
      reasons.add(loop.run(in: .default).reason)
      stage.done.add("outer")
    }
    loop.run(in: .default)
    #expect(reasons.all == [.finished])
    #expect(stage.done.all == ["outer", "inner"])
  }

  @Test func `M38, M52: an invalid queue takes nothing, and what its tasks held is freed`() {
    let stage = Stage()
    let (flag, own) = (ReleaseFlag(), ReleaseFlag())
    do {
      let (token, ownToken) = (ReleaseToken(flag), ReleaseToken(own))
      stage.queue.add {
        ownToken.touch()
        stage.queue.invalidate()
        #expect(!own.isRaised)
      }
      stage.queue.add { token.touch() }
    }
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(flag.isRaised)
    #expect(own.isRaised)
    #expect(stage.add("late") == nil)
  }

  @Test func `M44, M52: at the end of the loop tasks are released undone, and none is taken`() {
    let stage = Stage()
    let flag = ReleaseFlag()
    do {
      let token = ReleaseToken(flag)
      stage.queue.add { token.touch() }
    }
    stage.virtual.end()
    #expect(flag.isRaised)
    #expect(stage.add("late") == nil)
  }

  @Test func `M52: what a task marks in a batch is done before the loop sleeps`() {
    let stage = Stage()
    let batch = RunLoop.Batch<Int> { _, mark in stage.done.add("update \(mark)") }
    stage.loop.add(batch, to: .common)
    stage.queue.add {
      stage.done.add("a")
      batch.mark(1)
    }
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a", "update 1"])
    #expect(stage.virtual.sleepCount == 0)
  }

  @Test func `M49, M52: each task is shown by the place where it was added`() {
    let stage = Stage()
    let line: UInt = 4711
    stage.queue.add(line: line) {}
    stage.loop.run(in: .default)
    #expect(stage.virtual.trace.entries.contains { $0.phase == "beforeWaiting" && $0.line == Int(line) })
  }

  @Test func `M52: a queue without room for a task, or without a task a turn, traps`() async {
    await #expect(processExitsWith: .failure) { _ = Queue(capacity: 0) }
    await #expect(processExitsWith: .failure) { _ = Queue(budget: Queue.Budget(tasks: 0)) }
    await #expect(processExitsWith: .failure) { _ = Queue(asynchronousAtOnce: 0) }
  }
}
