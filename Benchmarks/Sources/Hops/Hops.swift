import Dispatch
import Mainspring
import Synchronization

/// What a hop between executors costs, there and back: the least of several turns, ns.
///
/// Called on the main actor of a program, with whatever executor that has. Prints a line for each kind of hop.
@MainActor
public func measureHops(isOnMainLoop: Bool) async throws {
  let thread = try RunLoopThread(named: "hops")
  let queue = QueueExecutor()
  let near = DefaultStop()
  let (first, second) = (PlacedStop(on: thread.loop.executor), PlacedStop(on: thread.loop.executor))
  let (queued, otherQueued) = (PlacedStop(on: queue), PlacedStop(on: queue))
  await report("default actor -> default actor") { await near.call(DefaultStop(), $0) }
  await report("actor -> actor of one dispatch queue") { await queued.call(otherQueued, $0) }
  await report("actor -> actor of one loop") { await first.call(second, $0) }
  await report("pool -> default actor") { await callFromPool(near, $0) }
  await report("pool -> actor on a dispatch queue") { await callFromPool(queued, $0) }
  await report("pool -> actor on a loop") { await callFromPool(first, $0) }
  await report("pool -> MainActor") { await callMainActor($0) }
  await report("MainActor -> default actor") { await callFromMainActor(near, $0) }
  // Under the default executors nobody runs the main loop.
  if isOnMainLoop {
    let main = PlacedStop(on: RunLoop.main.executor)
    await report("MainActor -> actor on the main loop") { await callFromMainActor(main, $0) }
  }
  await report("Task.yield on the pool") { await yieldOnPool($0) }
  await report("Task.yield on the MainActor") { await yieldOnMainActor($0) }
  await report("Task.yield of a task that prefers a loop") { count in
    await Task(executorPreference: thread.loop.taskExecutor) { @concurrent in await yieldOnPool(count) }.value
  }
}

@MainActor
private func report(_ name: String, _ body: @Sendable @concurrent (Int) async -> Void) async {
  let clock = ContinuousClock()
  var least = Duration.seconds(1)
  for _ in 0..<40 {
    let begin = clock.now
    await body(500)
    least = min(least, (clock.now - begin) / 500)
  }
  print("\(name)\t\(least.components.attoseconds / 1_000_000_000)")
}

/// Something to call, with work on it: a hop that nothing needs would be left out.
private protocol Stop: Actor {
  var count: Int { get set }
}

extension Stop {
  func call(_ other: some Stop, _ times: Int) async {
    for _ in 0..<times {
      count = await other.answer(count)
      touch()
    }
  }

  @inline(never)
  func answer(_ number: Int) -> Int {
    touch()
    count &+= number
    return count &+ 1
  }
}

private actor DefaultStop: Stop {
  var count = 0
}

private actor PlacedStop: Stop {
  private let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  var count = 0

  init(on executor: any SerialExecutor) { self.executor = executor }
}

@MainActor private var mainCount = 0

/// What the optimizer must not move over a hop, so that it leaves the hop where it is.
@inline(never)
private func touch() { touches.add(1, ordering: .sequentiallyConsistent) }

private let touches = Atomic(0)

@MainActor @inline(never)
private func answerOnMainActor(_ number: Int) -> Int {
  touch()
  mainCount &+= number
  return mainCount &+ 1
}

@concurrent
private func callFromPool(_ stop: some Stop, _ times: Int) async {
  var count = 0
  for _ in 0..<times {
    count = await stop.answer(count)
    touch()
  }
}

@concurrent
private func callMainActor(_ times: Int) async {
  var count = 0
  for _ in 0..<times {
    count = await answerOnMainActor(count)
    touch()
  }
}

@MainActor
private func callFromMainActor(_ stop: some Stop, _ times: Int) async {
  for _ in 0..<times {
    mainCount = await stop.answer(mainCount)
    touch()
  }
}

@concurrent
private func yieldOnPool(_ times: Int) async { for _ in 0..<times { await Task.yield() } }

@MainActor
private func yieldOnMainActor(_ times: Int) async { for _ in 0..<times { await Task.yield() } }

/// The executor that is nearest on Linux to a loop of one's own without one.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "hops")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
