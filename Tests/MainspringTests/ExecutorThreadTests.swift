import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

/// Executors among threads, and at the end of a loop.
@Suite struct ExecutorThreadTests {
  private func says(_ result: ExitTest.Result?, _ words: String...) -> Bool {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    return words.allSatisfy(text.contains)
  }

  @Test func `M58: actors and tasks of a loop run on its thread, which their jobs wake`() async throws {
    let thread = try RunLoopThread(named: "executor")
    let teller = LoopActor(thread.loop.executor)
    let seen = Record<Bool>()
    for _ in 0..<100 { await teller.call { seen.add(thread.loop.executor.isIsolatingCurrentContext()!) } }
    await Task(executorPreference: thread.loop.taskExecutor) { @concurrent in
      seen.add(thread.loop.executor.isIsolatingCurrentContext()!)
    }.value
    #expect(seen.all == Array(repeating: true, count: 101))
  }

  @Test func `M58: jobs of many threads are each run once, one at a time`() async throws {
    let thread = try RunLoopThread(named: "executor")
    let teller = LoopActor(thread.loop.executor)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { for _ in 0..<500 { await teller.say("word") } } }
    }
    #expect(await teller.words.count == 8000)
  }

  @Test func `M58: what a thread sent before keeps its place before what the loop's own thread queues`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    // Made where the loop's thread can be told from others.
    _ = loop.taskExecutor
    loop.actingFromElsewhere { _ = loop.task { seen.add(1) } }
    loop.task { seen.add(2) }
    loop.actingFromElsewhere { _ = loop.perform(in: .default) { seen.add(3) } }
    loop.task { seen.add(4) }
    loop.run()
    #expect(seen.all == [1, 2, 3, 4])
  }

  @Test func `M58: a loop that ends runs the jobs that it took, and what these send to it`() {
    let seen = Record<String>()
    TestThread {
      let loop = RunLoop.current
      let teller = LoopActor(loop.executor(in: "never run"))
      loop.task {
        seen.add("job")
        await Task.yield()
        seen.add("next job")
        await teller.say("")
        seen.add("in whatever mode")
        loop.perform(in: .default) { seen.add("block") }
      }
    }.join()
    #expect(seen.all == ["job", "next job", "in whatever mode"], "and no block")
  }

  @Test func `M58: a thread that is told to stop does the jobs that were sent before`() async throws {
    let thread = try RunLoopThread(named: "executor")
    let seen = Record<Int>()
    let (begun, gate) = (Gate(), Gate())
    thread.perform {
      begun.open()
      gate.pass()
    }
    begun.pass()
    for index in 0..<10 { thread.loop.task { seen.add(index) } }
    let stopper = Task.detached { thread.waitForStop() }
    gate.open()
    await stopper.value
    #expect(seen.all == Array(0..<10))
  }

  @Test func `M58: a job for a loop that has ended traps, and says why`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let box = Box<RunLoop.ActorExecutor>()
      TestThread { box.value = RunLoop.current.executor }.join()
      await LoopActor(box.value!).say("too late")
    }
    #expect(says(result, "was sent to the executor of a loop that has ended with its thread"))
  }

  @Test func `M58: tasks that never rest do not keep the end of a loop from being told`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TestThread { RunLoop.current.task { while true { await Task.yield() } } }.join()
    }
    #expect(says(result, "tasks go on queueing jobs for it"))
  }

  @Test func `M58: an actor's code that is called on another thread traps, naming both`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let thread = try RunLoopThread(named: "executor")
      await LoopActor(thread.loop.executor).say("it runs")
      thread.loop.executor.checkIsolated()
    }
    #expect(says(result, "tried to isolate an actor to the loop of thread", "\"executor\""))
  }

  @Test func `M58: an executor that is kept keeps no loop`() {
    let (loops, executors) = (Record<WeakLoop>(), Record<RunLoop.ActorExecutor>())
    for _ in 0..<3 {
      TestThread {
        loops.add(WeakLoop(loop: RunLoop.current))
        executors.add(RunLoop.current.executor)
        RunLoop.current.task {}
        RunLoop.current.run()
      }.join()
    }
    #expect(loops.all.allSatisfy { $0.loop == nil })
    #expect(executors.all.allSatisfy { $0.isIsolatingCurrentContext() == false })
  }

  private struct WeakLoop: Sendable { weak let loop: RunLoop? }

  @Test func `M58: the executors of a loop that has no thread yet are its own once it has`() async throws {
    let box = Box<Bool>()
    let thread = try RunLoopThread(named: "executor") { loop in
      box.value = loop.executor.isIsolatingCurrentContext()
    }
    await LoopActor(thread.loop.executor).say("")
    #expect(box.value == true)
  }
}

extension RunLoopThread {
  /// As `stop`, for a task that has a thread to spare.
  fileprivate func waitForStop() { stop() }
}
