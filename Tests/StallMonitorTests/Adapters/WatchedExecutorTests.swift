import Foundation
import Mainspring
import StallReport
import Synchronization
import Testing

@testable import StallMonitor

@Suite(.serialized, .timeLimit(.minutes(2))) struct WatchedExecutorTests {
  /// An actor on a watched executor.
  private actor Store {
    nonisolated let executor: WatchedExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    private(set) var numbers: [Int] = []

    init(on executor: WatchedExecutor) { self.executor = executor }

    func append(_ number: Int) { numbers.append(number) }

    @inline(never)
    func reindexUntilSeen(_ stalled: StalledLoop) { _ = stalled.spinUntilConfirmed() }

    nonisolated func assumedCount() -> Int { assumeIsolated { $0.numbers.count } }
  }

  /// A serial executor of somebody else's.
  private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "base")
    private let isOnQueue = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: isOnQueue, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: isOnQueue) ?? false }
  }

  private func executor(_ monitor: StallMonitor, isOnBase: Bool) -> WatchedExecutor {
    if isOnBase { return monitor.makeExecutor(on: QueueExecutor(), as: "store") }
    let queue = DispatchQueue(label: "store")
    return monitor.makeExecutor(as: "store") { job in queue.async { job() } }
  }

  @Test(arguments: [false, true])
  func `an actor that keeps its executor too long is reported`(isOnBase: Bool) async throws {
    let stalled = StalledLoop()
    let monitor = try StallMonitor(stalled.configuration())
    let store = Store(on: executor(monitor, isOnBase: isOnBase))
    await store.append(1)
    await store.reindexUntilSeen(stalled)
    #expect(monitor.stop(waitingFor: .seconds(30)))
    let reports = stalled.reports.withLock { $0 }
    #expect(Set(reports.map(\.id)).count == 1)
    let report = try #require(reports.last)
    #expect(report.loop.kind == .executor)
    #expect(report.loop.name == "store")
    #expect(report.phase.name.rawValue == "job")
    #expect(report.culprit.chain.contains { $0.contains("reindexUntilSeen") }, "\(report.culprit)")
  }

  @Test(arguments: [false, true])
  func `jobs are run in order, and none is lost`(isOnBase: Bool) async throws {
    let monitor = try StallMonitor()
    let store = Store(on: executor(monitor, isOnBase: isOnBase))
    await withDiscardingTaskGroup { group in
      for number in 0..<500 { group.addTask { await store.append(number) } }
    }
    #expect(await store.numbers.sorted() == Array(0..<500))
  }

  @Test func `between jobs it waits, and so does the monitor`() async throws {
    let monitor = try StallMonitor()
    let queue = DispatchQueue(label: "store")
    let executor = monitor.makeExecutor(as: "store") { job in queue.async { job() } }
    let store = Store(on: executor)
    #expect(!executor.marks.beacon.shown.isBusy)
    await store.append(1)
    await withCheckedContinuation { done in queue.async { done.resume() } }
    #expect(executor.marks.beacon.shown.phase == .waiting)
    let hasWaited = executor.marks.beacon.hasWaited.load(ordering: .relaxed)
    #expect(hasWaited)
  }

  @Test func `tasks that prefer it run on it`() async throws {
    let monitor = try StallMonitor()
    let executor = executor(monitor, isOnBase: false)
    let store = Store(on: executor)
    let isBusy = await Task(executorPreference: executor.taskExecutor) {
      executor.marks.beacon.shown.isBusy
    }.value
    #expect(isBusy)
    await store.append(1)
    #expect(await store.numbers == [1])
  }

  @Test func `a job knows that it is on the executor, and so does what the base runs besides`() async throws {
    let monitor = try StallMonitor()
    let base = QueueExecutor()
    let store = Store(on: monitor.makeExecutor(on: base, as: "store"))
    await store.append(1)
    let count = await withCheckedContinuation { done in
      base.queue.async { done.resume(returning: store.assumedCount()) }
    }
    #expect(count == 1)
  }
}
