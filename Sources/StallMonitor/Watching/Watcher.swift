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

/// The monitor's two threads.
///
/// The watcher looks at every watched loop once a tick while one is busy, takes stacks, and sleeps while none is. The
/// reporter turns what it finds into names and files: what takes long for one stall keeps nobody from seeing others.
final class Watcher: Sendable {
  private let configuration: StallMonitor.Configuration
  private let threshold: UInt64
  private let tick: UInt64
  private let requests = Locked<[WatchRequest]>([])
  private let hasRequests = Atomic<Bool>(false)
  private let stopRequested = Atomic<Bool>(false)
  private let findings = FindingQueue()
  /// Ends a pause. Not the process's parking word: a monitor that pauses must not hide that another is parked.
  private let alarm = FutexWord(0)
  private let stopped = FutexWord(0)
  private let isStarted = Atomic<Bool>(false)
  /// The kernel's number of the watcher's thread.
  private let thread = Atomic<Int32>(0)

  /// A tick is half of what it takes to be suspected, within these bounds, ns.
  private static let tickBounds: ClosedRange<UInt64> = 5_000_000...100_000_000

  init(_ configuration: StallMonitor.Configuration) throws(StallMonitor.StartError) {
    guard configuration.threshold >= StallMonitor.Configuration.thresholdMin else {
      throw .thresholdTooShort(configuration.threshold)
    }
    self.configuration = configuration
    threshold = UInt64(configuration.threshold.saturatingNanoseconds)
    let suspicion = StallDetector(threshold: threshold).suspicion
    tick = min(max(suspicion / 2, Self.tickBounds.lowerBound), Self.tickBounds.upperBound)
  }

  func start() throws(StallMonitor.StartError) {
    // Made for a try: the caller is to be told, and the watcher makes its own on its thread.
    do throws(CaptureError) { _ = try StackSampler() } catch {
      throw .system(reason: "threads cannot be sampled here: \(error)")
    }
    let folder = try configuration.folder.map { path throws(StallMonitor.StartError) in
      try ReportFolder(path: path)
    }
    do throws(KernelError) {
      try NativeThread.start(named: "stall-reporter", stackBytes: 4 << 20) { [self] in
        report(to: folder)
        _ = stopped.exchange(1)
        stopped.wake(all: true)
      }
      isStarted.store(true, ordering: .releasing)
      try NativeThread.start(named: "stall-monitor", stackBytes: 4 << 20) { [self] in
        watch()
        findings.close()
      }
    } catch {
      findings.close()
      throw .system(reason: "no thread could be made: \(error)")
    }
  }

  func add(_ request: WatchRequest) {
    requests.withLock { $0.append(request) }
    hasRequests.store(true, ordering: .sequentiallyConsistent)
    wake()
  }

  func requestStop() {
    stopRequested.store(true, ordering: .sequentiallyConsistent)
    wake()
  }

  private func wake() {
    _ = alarm.exchange(1)
    alarm.wake(all: true)
    WatcherParking.wakeAll()
  }

  /// Waits for the threads' end; says whether it came within the limit.
  func waitUntilStopped(_ limit: Duration) -> Bool {
    guard isStarted.load(ordering: .acquiring) else { return true }
    let deadline = RunLoop.Instant.now.advanced(by: limit).nanoseconds
    while stopped.load() == 0 {
      if stopped.wait(while: 0, until: deadline) == .timedOut { return stopped.load() != 0 }
    }
    return true
  }

  // MARK: on the reporter's thread

  private func report(to folder: ReportFolder?) {
    let reporter = Reporter(configuration, folder: folder, tick: tick)
    while let batch = findings.take() {
      for finding in batch.findings {
        reporter.report(finding, watcher: thread.load(ordering: .relaxed))
      }
      if batch.droppedCount > 0 {
        configuration.onFailure?("\(batch.droppedCount) stalls came too fast to be reported")
      }
    }
  }

  // MARK: on the watcher's thread

  private func watch() {
    thread.store(ThreadIdentity.kernelNumber, ordering: .relaxed)
    guard let sampler = try? StackSampler() else {
      configuration.onFailure?("this system does not let threads be sampled; stalls are not reported")
      return
    }
    var loops: [WatchedLoop] = []
    var wakeUps = 0
    while !stopRequested.load(ordering: .sequentiallyConsistent) {
      takeRequests(into: &loops)
      loops.removeAll(where: \.isOver)
      wakeUps += 1
      let lateness = rest(loops)
      look(at: loops, lateness: lateness, with: sampler, wakeUps)
    }
    // Looked at once more: what is over by now is told to be over.
    look(at: loops, lateness: .by(0), with: sampler, wakeUps)
    let now = MonotonicClock.now()
    for loop in loops {
      for finding in loop.lastFinding(now: now) { pass(finding, wakeUps) }
      loop.beacon?.endWatching()
    }
  }

  private func look(at loops: [WatchedLoop], lateness: Lateness, with sampler: StackSampler, _ wakeUps: Int) {
    for loop in loops {
      // Asked anew for each: taking the stack of the one before may have lasted.
      let now = MonotonicClock.now()
      for finding in loop.look(now: now, lateness: lateness, sampler: sampler) { pass(finding, wakeUps) }
    }
  }

  private func pass(_ finding: Finding, _ wakeUps: Int) {
    var finding = finding
    finding.wakeUps = wakeUps
    findings.append(finding)
  }

  /// Sleeps for a tick, or until a loop gets busy when none is. Gives back how late it comes back.
  private func rest(_ loops: [WatchedLoop]) -> Lateness {
    let isAwaited = { [self] in
      stopRequested.load(ordering: .sequentiallyConsistent)
        || hasRequests.load(ordering: .sequentiallyConsistent)
    }
    guard loops.contains(where: \.needsLook) else {
      var hasSlept = false
      WatcherParking.park(until: nil) {
        let isBusy = isAwaited() || loops.contains(where: \.isBusy)
        hasSlept = !isBusy
        return isBusy
      }
      return hasSlept ? .sinceThePassBegan : .by(0)
    }
    let before = MonotonicClock.now()
    // Not to be woken by loops: the next look comes when it comes.
    _ = alarm.exchange(0)
    while !isAwaited(), alarm.load() == 0 {
      if alarm.wait(while: 0, until: before + tick) == .timedOut { break }
    }
    let slept = MonotonicClock.now() - before
    return .by(slept > tick ? slept - tick : 0)
  }

  private func takeRequests(into loops: inout [WatchedLoop]) {
    guard hasRequests.exchange(false, ordering: .sequentiallyConsistent) else { return }
    let taken = requests.withLock { list -> [WatchRequest] in
      defer { list = [] }
      return list
    }
    for request in taken {
      if let known = loops.first(where: { $0.beacon === request.beacon }) {
        known.name = request.name
        continue
      }
      request.beacon.beginWatching()
      loops.append(
        WatchedLoop(
          number: request.number, name: request.name, beacon: request.beacon, threshold: threshold, tick: tick
        ))
    }
  }
}
