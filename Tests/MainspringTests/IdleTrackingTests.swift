@testable import Mainspring
import MainspringTesting
import Testing

/// Idle work while something moves, in nested runs, and at the end.
@Suite struct IdleTrackingTests {
  typealias Queue = RunLoop.IdleQueue
  private typealias Stage = IdleStage

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
