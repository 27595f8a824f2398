import Dispatch
import LinuxKernel
import Mainspring
import StallReport
import Synchronization
import Testing

@testable import StallMonitor
@testable import StallMonitorDispatch

/// The reports of what a test does, of which a stall lasts until the monitor has said that it goes on.
private final class Reports: Sendable {
  let all = Locked<[Report]>([])
  private let confirmed = FutexWord(0)

  func monitor() throws -> StallMonitor {
    var configuration = StallMonitor.Configuration()
    configuration.threshold = .milliseconds(40)
    configuration.onReport = { [self] report in
      all.withLock { $0.append(report) }
      if report.state == .ongoing { _ = confirmed.exchange(1) }
    }
    return try StallMonitor(configuration)
  }

  /// Burns processor time until a stall has been confirmed.
  @inline(never)
  func spinUntilConfirmed() -> UInt64 {
    var sum: UInt64 = 0
    while confirmed.load() == 0 { sum = sum &* 31 &+ 7 }
    return sum
  }

  var last: Report? { all.withLock { $0.last } }
  var names: Set<String> { Set(all.withLock { $0.map(\.loop.name) }) }
}

@Suite(.serialized, .timeLimit(.minutes(3))) struct WatchedQueueTests {
  private let reports = Reports()

  @Test(arguments: [Pinging.never, .whileInUse])
  func `what goes through the adapter is watched exactly`(pinging: Pinging) throws {
    let monitor = try reports.monitor()
    let queue = monitor.watch(DispatchQueue(label: "a"), as: "a", pinging: pinging)
    let reports = reports
    queue.async { indexUntilSeen(reports) }
    queue.sync {}
    #expect(monitor.stop(waitingFor: .seconds(30)))
    #expect(Set(reports.all.withLock { $0.map(\.id) }).count == 1)
    let report = try #require(reports.last)
    #expect(report.loop.kind == .dispatchQueue)
    #expect(report.loop.name == "a")
    #expect(report.phase.name.rawValue == "block")
    #expect(report.culprit.chain.contains { $0.contains("indexUntilSeen") }, "\(report.culprit)")
  }

  @Test func `what others give to the queue is seen by a ping, with the thread that does it`() throws {
    let monitor = try reports.monitor()
    let queue = DispatchQueue(label: "b")
    let watched = monitor.watch(queue, as: "b", pinging: .always)
    try waitForAnswer(watched)
    let reports = reports
    let thread = Atomic<Int32>(0)
    queue.sync {
      thread.store(ThreadIdentity.kernelNumber, ordering: .relaxed)
      indexUntilSeen(reports)
    }
    // What is to be told of its end is told once the ping is answered.
    queue.sync {}
    #expect(monitor.stop(waitingFor: .seconds(30)))
    let report = try #require(reports.last)
    #expect(report.loop.kind == .dispatchQueue)
    #expect(report.loop.thread.tid == Int(thread.load(ordering: .relaxed)))
    #expect(report.culprit.chain.contains { $0.contains("indexUntilSeen") }, "\(report.culprit)")
    #expect(report.shape.verdict == .unknown)
  }

  @Test func `of many queues the one that is stuck is reported`() throws {
    let monitor = try reports.monitor()
    let queues = (0..<50).map { monitor.watch(DispatchQueue(label: "\($0)"), as: "\($0)") }
    for queue in queues { queue.sync {} }
    let reports = reports
    queues[17].async { indexUntilSeen(reports) }
    queues[17].sync {}
    for queue in queues { queue.sync {} }
    #expect(monitor.stop(waitingFor: .seconds(30)))
    #expect(reports.names.contains("17"))
    #expect(reports.last?.culprit.chain.contains { $0.contains("indexUntilSeen") } == true)
  }

  @Test func `an executor on a queue is watched`() async throws {
    actor Store {
      nonisolated let executor: WatchedExecutor
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
      init(_ executor: WatchedExecutor) { self.executor = executor }
      func index(_ reports: Reports) { indexUntilSeen(reports) }
      nonisolated func assumed() -> Bool { assumeIsolated { _ in true } }
    }
    let monitor = try reports.monitor()
    let queue = DispatchQueue(label: "c")
    let store = Store(monitor.makeExecutor(on: queue, as: "store"))
    #expect(queue.sync { store.assumed() })
    await store.index(reports)
    #expect(monitor.stop(waitingFor: .seconds(30)))
    #expect(reports.last?.loop.kind == .executor)
  }

  // MARK: what is none

  @Test func `an idle queue is pinged no more, and nothing is left to look at`() throws {
    let monitor = try StallMonitor()
    let watched = monitor.watch(DispatchQueue(label: "d"), as: "d")
    let pulse = try #require(watched.pulse)
    waitForSleep(pulse)
    let count = pulse.pingCount
    #expect(count > 0)
    #expect(pulse.answerCount == count)
    #expect(!pulse.beacon.shown.isBusy)
    #expect(!watched.marks.beacon.shown.isBusy)
    // Used, it is pinged again, and comes to rest again.
    watched.sync {}
    waitForSleep(pulse)
    #expect(pulse.pingCount > count)
  }

  @Test func `a queue that is suspended is not held to be stuck`() throws {
    let pulse = self.pulse(DispatchQueue(label: "e"))
    pulse.ping()
    pulse.queue.sync {}
    #expect(pulse.answerCount == 1)
    pulse.queue.suspend()
    pulse.ping()
    pulse.hold()
    #expect(!pulse.beacon.shown.isBusy)
    pulse.queue.resume()
    pulse.queue.sync {}
    #expect(pulse.answerCount == 2)
  }

  @Test func `nothing is held against a queue that has never answered`() throws {
    let pulse = self.pulse(DispatchQueue(label: "f"))
    let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    pulse.queue.async {
      begun.signal()
      go.wait()
    }
    begun.wait()
    pulse.ping()
    pulse.hold()
    #expect(!pulse.beacon.shown.isBusy)
    go.signal()
    pulse.queue.sync {}
    #expect(pulse.answerCount == 1)
  }

  @Test func `a ping that is out shows the queue as busy with its thread, until it is answered`() throws {
    let pulse = self.pulse(DispatchQueue(label: "g"))
    pulse.ping()
    pulse.queue.sync {}
    let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let thread = Atomic<Int32>(0)
    pulse.queue.async {
      thread.store(ThreadIdentity.kernelNumber, ordering: .relaxed)
      begun.signal()
      go.wait()
    }
    begun.wait()
    pulse.ping()
    let progress = pulse.beacon.shown.progress
    pulse.hold()
    #expect(pulse.beacon.shown.isBusy)
    #expect(pulse.beacon.thread.load(ordering: .relaxed) == thread.load(ordering: .relaxed))
    pulse.hold()
    #expect(pulse.beacon.shown.progress == progress + 1)
    go.signal()
    pulse.queue.sync {}
    #expect(!pulse.beacon.shown.isBusy)
    // What comes too late finds that the queue got somewhere.
    pulse.hold()
    #expect(!pulse.beacon.shown.isBusy)
  }

  @Test func `while the adapter's own work is on a ping is not held against the queue`() throws {
    let marks = StallMonitor.LoopMarks()
    let queue = DispatchQueue(label: "h")
    let pulse = QueuePulse(queue, marks, threshold: 40_000_000, pinging: .never)
    let watched = WatchedQueue(queue, marks, nil)
    pulse.ping()
    queue.sync {}
    watched.sync {
      pulse.ping()
      pulse.hold()
      #expect(!pulse.beacon.shown.isBusy)
    }
  }

  private func pulse(_ queue: DispatchQueue) -> QueuePulse {
    QueuePulse(queue, StallMonitor.LoopMarks(), threshold: 40_000_000, pinging: .never)
  }

  private func waitForAnswer(_ watched: WatchedQueue) throws {
    let pulse = try #require(watched.pulse)
    // A ping is counted before it is on the queue.
    while pulse.answerCount == 0 { watched.queue.sync {} }
  }

  private func waitForSleep(_ pulse: QueuePulse) {
    while pulse.asleep.load() == 0 { _ = pulse.asleep.wait(while: 0, until: nil) }
  }
}

@Suite struct QueueServerTests {
  @Test func `who serves a queue is known while it is served, and that nobody does otherwise`() {
    let queue = DispatchQueue(label: "served")
    let server = QueueServer(queue)
    #expect(server.answer == .nobody)
    queue.sync { #expect(server.answer == .thread(ThreadIdentity.kernelNumber)) }
    let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let thread = Atomic<Int32>(0)
    queue.async {
      thread.store(ThreadIdentity.kernelNumber, ordering: .relaxed)
      begun.signal()
      go.wait()
    }
    begun.wait()
    #expect(server.answer == .thread(thread.load(ordering: .relaxed)))
    go.signal()
    queue.sync {}
    queue.suspend()
    queue.async {}
    #expect(server.answer == .nobody)
    queue.resume()
  }

  @Test func `a queue within another is served by the same thread`() {
    let target = DispatchQueue(label: "target")
    let queue = DispatchQueue(label: "inner", target: target)
    queue.sync {
      #expect(QueueServer(queue).answer == .thread(ThreadIdentity.kernelNumber))
      #expect(QueueServer(target).answer == .thread(ThreadIdentity.kernelNumber))
    }
  }
}

@inline(never)
private func indexUntilSeen(_ reports: Reports) { _ = reports.spinUntilConfirmed() }
