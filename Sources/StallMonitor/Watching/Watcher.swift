import LinuxKernel
import Mainspring
import StallReport
import Synchronization

/// A loop that is to be watched from now on.
struct WatchRequest: Sendable {
  var number: Int
  var name: String
  var kind = Report.Loop.Kind.mainspring
  var beacon: Beacon
  /// How many long stretches it had put on record before it was asked to for this.
  var recordsSeen: UInt64 = 0
}

/// The monitor's two threads.
///
/// The watcher looks at every watched loop once a tick while one is busy, takes stacks, and sleeps while none is. The
/// reporter turns what it finds into names and files: what takes long for one stall keeps nobody from seeing others.
final class Watcher: Sendable {
  private let configuration: StallMonitor.Configuration
  private let limits: WatchLimits
  private let requests = Locked<[WatchRequest]>([])
  private let hasRequests = Atomic<Bool>(false)
  private let stopRequested = Atomic<Bool>(false)
  private let findings = FindingQueue()
  private let crashes = CrashDesk()
  let counts = StallCounts()
  /// Ends a pause. Not the process's parking word: a monitor that pauses must not hide that another is parked.
  private let alarm = FutexWord(0)
  private let stopped = FutexWord(0)
  private let isStarted = Atomic<Bool>(false)
  /// The kernel's number of the watcher's thread.
  private let thread = Atomic<Int32>(0)
  /// When it looked last, ns: by then every stall that nobody has told the end of went on.
  private let lastLook = Atomic<UInt64>(0)
  /// Until when, ns, who stops the monitor waits for what is to be sent; 0 for nobody.
  private let finishDeadline = Atomic<UInt64>(0)
  /// The reporter's, 0 until it has begun.
  private let reporterThread = FutexWord(0)

  var threshold: UInt64 { limits.stall.threshold }
  var measuresLag: Bool { configuration.measuresLag }

  init(_ configuration: StallMonitor.Configuration) throws(StallMonitor.StartError) {
    try configuration.check()
    self.configuration = configuration
    limits = WatchLimits(configuration)
  }

  func start() throws(StallMonitor.StartError) {
    // Made for a try: the caller is to be told, and the watcher makes its own on its thread.
    do throws(CaptureError) { _ = try StackSampler() } catch {
      throw .system(reason: "threads cannot be sampled here: \(error)")
    }
    let place = try configuration.folder.map { path throws(StallMonitor.StartError) in
      try ArchivePlace(path: path)
    }
    do throws(KernelError) {
      try NativeThread.start(named: "stall-reporter", stackBytes: 4 << 20) { [self] in
        _ = reporterThread.exchange(UInt32(bitPattern: ThreadIdentity.kernelNumber))
        reporterThread.wake(all: true)
        report(to: place)
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
      if !isStarted.load(ordering: .acquiring) { place?.leave() }
      throw .system(reason: "no thread could be made: \(error)")
    }
  }

  /// Asks a loop to tell of itself; each request takes one such asking with it.
  func beginWatching(_ beacon: Beacon) { beacon.beginWatching(recordingFrom: limits.stall.threshold) }

  /// Reports a crash, and waits for that, but not longer than `limit`. On the rescue's thread.
  func report(_ crash: CrashRescue.Crash, within limit: Duration) {
    crashes.hand(in: crash)
    hasRequests.store(true, ordering: .sequentiallyConsistent)
    wake()
    crashes.waitUntilReported(within: limit)
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

  /// Asks the threads to end and waits for it; says whether it came within the limit. On the monitor's own threads it says
  /// no at once.
  func stop(within limit: Duration) -> Bool {
    let deadline = RunLoop.Instant.now.advanced(by: limit).nanoseconds
    if configuration.delivery != nil { finishDeadline.store(deadline, ordering: .sequentiallyConsistent) }
    requestStop()
    guard isStarted.load(ordering: .acquiring) else { return true }
    let own = UInt32(bitPattern: ThreadIdentity.kernelNumber)
    guard own != reporterThread.load(), own != UInt32(bitPattern: thread.load(ordering: .relaxed))
    else { return stopped.load() != 0 }
    while stopped.load() == 0 {
      if stopped.wait(while: 0, until: deadline) == .timedOut { return stopped.load() != 0 }
    }
    return true
  }

  // MARK: on the reporter's thread

  private func report(to place: ArchivePlace?) {
    let reporter = Reporter(
      configuration, archivist: place.map { Archivist(configuration, at: $0) }, limits, counts)
    reporter.begin()
    while let batch = findings.take(until: reporter.nextDue) {
      // Read before the queue is looked at: an end that was passed on before that look is in the queue, or was taken.
      let seen = lastLook.load(ordering: .acquiring)
      reporter.noteProgress(batch.findings, seen: findings.isEmpty ? seen : nil)
      for finding in batch.findings {
        reporter.report(finding, watcher: thread.load(ordering: .relaxed))
        if finding.isCrash { crashes.noteReported() }
      }
      if batch.droppedCount > 0 {
        configuration.onFailure?("\(batch.droppedCount) stalls came too fast to be reported")
      }
      if findings.isEmpty { reporter.rest() }
    }
    reporter.end(finishing: finishDeadline.load(ordering: .sequentiallyConsistent))
  }

  // MARK: on the watcher's thread

  private func watch() {
    thread.store(ThreadIdentity.kernelNumber, ordering: .relaxed)
    while reporterThread.load() == 0 { reporterThread.wait(while: 0, until: nil) }
    guard let samplers = try? Samplers(leavingOut: [Int32(bitPattern: reporterThread.load())]) else {
      configuration.onFailure?("this system does not let threads be sampled; stalls are not reported")
      return
    }
    // To come when it means to: how late it comes is evidence.
    TimerSlack.set(1)
    var loops: [WatchedLoop] = []
    var wakeUps = 0
    var times = WatcherTimes()
    var hasBeenParked = false
    while !stopRequested.load(ordering: .sequentiallyConsistent) {
      takeRequests(into: &loops)
      loops.removeAll(where: \.isOver)
      if !loops.contains(where: \.needsLook) { samplers.process.forget() }
      wakeUps += 1
      let punctuality = times.rest(after: samplers.takeAwaited()) { rest(loops, &hasBeenParked) }
      if let crash = crashes.take() {
        let loop = loops.first { $0.runs(onThread: crash.thread) }
        pass(Finding(crash, of: loop, limits, samplers), wakeUps)
        // What lasts long from here on is the end of the process.
        loops = []
        continue
      }
      look(at: loops, punctuality, &times, with: samplers, wakeUps)
    }
    // Looked at once more: what is over by now is told to be over.
    let last = times.rest(after: samplers.takeAwaited()) { .none(at: MonotonicClock.now()) }
    look(at: loops, last, &times, with: samplers, wakeUps)
    let now = MonotonicClock.now()
    for loop in loops {
      for var finding in loop.lastFindings(now: now) {
        finding.isLeft = true
        pass(finding, wakeUps)
      }
      loop.beacon?.endWatching()
    }
  }

  private func look(
    at loops: [WatchedLoop], _ punctuality: Punctuality, _ times: inout WatcherTimes, with samplers: Samplers,
    _ wakeUps: Int
  ) {
    var punctuality = punctuality
    for loop in loops {
      // Asked anew for each: taking the stack of the one before may have lasted.
      let findings = loop.look(samplers) {
        let now = MonotonicClock.now()
        times.update(&punctuality, at: now) { samplers.takeAwaited() }
        return (now, punctuality)
      }
      for finding in findings { pass(finding, wakeUps) }
    }
    // After the ends were passed on.
    lastLook.store(MonotonicClock.now(), ordering: .releasing)
  }

  private func pass(_ finding: Finding, _ wakeUps: Int) {
    var finding = finding
    finding.wakeUps = wakeUps
    findings.append(finding)
  }

  /// Sleeps until the next look, or until a loop gets busy when none is.
  ///
  /// A watcher that was parked and woken sleeps for a tick before it parks again: otherwise each short pass of a loop that
  /// sleeps in between would have to wake it.
  private func rest(_ loops: [WatchedLoop], _ hasBeenParked: inout Bool) -> WatcherTimes.Rest {
    let isAwaited = { [self] in
      stopRequested.load(ordering: .sequentiallyConsistent)
        || hasRequests.load(ordering: .sequentiallyConsistent)
    }
    let now = MonotonicClock.now()
    guard hasBeenParked || loops.contains(where: \.needsLook) else {
      var hasSlept = false
      WatcherParking.park(until: nil) {
        let isBusy = isAwaited() || loops.contains(where: \.isBusy)
        hasSlept = !isBusy
        return isBusy
      }
      hasBeenParked = hasSlept && !isAwaited()
      return hasSlept ? WatcherTimes.Rest(begun: now, due: nil, sleeps: 1) : .none(at: now)
    }
    hasBeenParked = false
    // A tick, or less where a pass comes to be suspect or a stall before.
    let span = loops.compactMap { $0.timeToNextGrade(at: now) }.reduce(limits.tick, min)
    var rest = WatcherTimes.Rest(begun: now, due: now + max(span, Self.leastRest))
    // Not to be woken by loops: the next look comes when it comes.
    _ = alarm.exchange(0)
    while !isAwaited(), alarm.load() == 0 {
      rest.sleeps += 1
      if alarm.wait(while: 0, until: rest.due) == .timedOut { break }
    }
    return rest
  }

  /// Looks do not follow each other faster, ns.
  private static let leastRest: UInt64 = 100_000

  private func takeRequests(into loops: inout [WatchedLoop]) {
    guard hasRequests.exchange(false, ordering: .sequentiallyConsistent) else { return }
    let taken = requests.withLock { list -> [WatchRequest] in
      defer { list = [] }
      return list
    }
    for request in taken {
      if let known = loops.first(where: { $0.beacon === request.beacon }) {
        known.name = request.name
        request.beacon.endWatching()
        continue
      }
      loops.append(WatchedLoop(request, limits))
    }
  }
}
