import LinuxKernel
import Mainspring
import StallReport
import Synchronization

/// A loop that is to be watched from now on.
struct WatchRequest: Sendable {
  var number: Int
  var name: String
  var beacon: Beacon
}

/// The monitor's thread: looks at every watched loop once a tick while one is busy, and sleeps while none is.
final class Watcher: Sendable {
  private let configuration: StallMonitor.Configuration
  private let requests = Locked<[WatchRequest]>([])
  private let hasRequests = Atomic<Bool>(false)
  private let stopRequested = Atomic<Bool>(false)
  private let stopped = FutexWord(0)
  private let isStarted = Atomic<Bool>(false)

  init(_ configuration: StallMonitor.Configuration) throws(StallMonitor.StartError) {
    guard configuration.threshold >= StallMonitor.Configuration.thresholdMin else {
      throw .thresholdTooShort(configuration.threshold)
    }
    self.configuration = configuration
  }

  func start() throws(StallMonitor.StartError) {
    let folder = try configuration.folder.map { path throws(StallMonitor.StartError) in
      try ReportFolder(path: path)
    }
    do throws(KernelError) {
      try NativeThread.start(named: "stall-monitor", stackBytes: 4 << 20) { [self] in
        run(folder)
        _ = stopped.exchange(1)
        stopped.wake(all: true)
      }
    } catch {
      throw .system(reason: "no thread could be made: \(error)")
    }
    isStarted.store(true, ordering: .releasing)
  }

  func add(_ request: WatchRequest) {
    requests.withLock { $0.append(request) }
    hasRequests.store(true, ordering: .sequentiallyConsistent)
    WatcherParking.unpark()
  }

  func requestStop() {
    stopRequested.store(true, ordering: .sequentiallyConsistent)
    WatcherParking.unpark()
  }

  /// Waits for the thread's end; says whether it came within the limit.
  func waitUntilStopped(_ limit: Duration) -> Bool {
    guard isStarted.load(ordering: .acquiring) else { return true }
    let deadline = RunLoop.Instant.now.advanced(by: limit).nanoseconds
    while stopped.load() == 0 {
      if stopped.wait(while: 0, until: deadline) == .timedOut { return stopped.load() != 0 }
    }
    return true
  }

  // MARK: on the watcher's thread

  /// A tick is half of what it takes to be suspected, within these bounds, ns.
  private static let tickBounds: ClosedRange<UInt64> = 5_000_000...100_000_000

  private func run(_ folder: ReportFolder?) {
    guard let sampler = try? StackSampler() else {
      configuration.onFailure?("this system does not let threads be sampled; stalls are not reported")
      return
    }
    let threshold = UInt64(configuration.threshold.saturatingNanoseconds)
    let suspicion = StallDetector(threshold: threshold).suspicion
    let tick = min(max(suspicion / 2, Self.tickBounds.lowerBound), Self.tickBounds.upperBound)
    let reporter = Reporter(configuration, folder: folder, memory: sampler.memory, tick: tick)
    var loops: [WatchedLoop] = []
    while !stopRequested.load(ordering: .sequentiallyConsistent) {
      takeRequests(into: &loops, threshold, tick)
      reporter.wakeUps += 1
      let lateness = rest(loops, tick)
      let now = MonotonicClock.now()
      for loop in loops {
        for finding in loop.look(now: now, lateness: lateness, sampler: sampler) {
          reporter.report(finding, of: loop)
        }
      }
    }
    let now = MonotonicClock.now()
    for loop in loops { for finding in loop.lastFinding(now: now) { reporter.report(finding, of: loop) } }
  }

  /// Sleeps for a tick, or until a loop gets busy when none is. Gives back by how much it overslept, ns.
  private func rest(_ loops: [WatchedLoop], _ tick: UInt64) -> UInt64 {
    let isAwaited = { [self] in
      stopRequested.load(ordering: .sequentiallyConsistent)
        || hasRequests.load(ordering: .sequentiallyConsistent)
    }
    let before = MonotonicClock.now()
    if loops.contains(where: \.isBusy) {
      // Not to be woken by loops: the next look comes when it comes.
      WatcherParking.pause(until: before + tick, unless: isAwaited)
      let slept = MonotonicClock.now() - before
      return slept > tick ? slept - tick : 0
    }
    WatcherParking.park(until: nil) { isAwaited() || loops.contains(where: \.isBusy) }
    return 0
  }

  private func takeRequests(into loops: inout [WatchedLoop], _ threshold: UInt64, _ tick: UInt64) {
    guard hasRequests.exchange(false, ordering: .sequentiallyConsistent) else { return }
    let taken = requests.withLock { list -> [WatchRequest] in
      defer { list = [] }
      return list
    }
    for request in taken {
      request.beacon.isWatched.store(true, ordering: .sequentiallyConsistent)
      loops.append(
        WatchedLoop(
          number: request.number, name: request.name, beacon: request.beacon, threshold: threshold, tick: tick
        ))
    }
  }
}
