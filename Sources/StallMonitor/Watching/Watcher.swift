import LinuxKernel
import Mainspring
import Synchronization

/// A loop that is to be watched from now on.
struct WatchRequest: Sendable {
  var number: Int
  var name: String
  var beacon: Beacon
}

/// The thread that looks at every watched loop once a tick while one is busy, and sleeps while none is.
///
/// It only looks and takes stacks; what takes longer is the reporter's, on another thread, so that samples go on.
final class Watcher: Sendable {
  private let threshold: UInt64
  private let tick: UInt64
  private let reporter: Reporter
  private let requests = Locked<[WatchRequest]>([])
  private let hasRequests = Atomic<Bool>(false)
  private let stopRequested = Atomic<Bool>(false)
  /// Ends a pause between two looks.
  private let pauseWord = FutexWord(0)

  /// A tick is half of what it takes to be suspected, within these bounds, ns.
  private static let tickBounds: ClosedRange<UInt64> = 5_000_000...100_000_000

  init(threshold: Duration, reporter: Reporter) {
    self.threshold = UInt64(threshold.saturatingNanoseconds)
    self.reporter = reporter
    tick = Self.tick(forThreshold: self.threshold)
  }

  static func tick(forThreshold threshold: UInt64) -> UInt64 {
    let half = StallDetector(threshold: threshold).suspicion / 2
    return min(max(half, tickBounds.lowerBound), tickBounds.upperBound)
  }

  func start() throws(KernelError) {
    try NativeThread.start(named: "stall-monitor", stackBytes: 4 << 20) { [self] in
      run()
      reporter.finish()
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
    _ = pauseWord.exchange(1)
    pauseWord.wake()
    WatcherParking.wakeAll()
  }

  // MARK: on the watcher's thread

  private func run() {
    guard let sampler = try? StackSampler() else {
      return reporter.fail("this system does not let threads be sampled; stalls are not reported")
    }
    var loops: [WatchedLoop] = []
    var wakeUps = 0
    while !stopRequested.load(ordering: .sequentiallyConsistent) {
      takeRequests(into: &loops)
      wakeUps += 1
      let lateness = rest(loops)
      let now = MonotonicClock.now()
      for loop in loops {
        for finding in loop.look(now: now, lateness: lateness, sampler: sampler) {
          reporter.take(finding, wakeUps: wakeUps)
        }
      }
    }
    let now = MonotonicClock.now()
    for loop in loops {
      for finding in loop.lastFinding(now: now) { reporter.take(finding, wakeUps: wakeUps) }
    }
  }

  private var isAwaited: Bool {
    stopRequested.load(ordering: .sequentiallyConsistent)
      || hasRequests.load(ordering: .sequentiallyConsistent)
  }

  /// Sleeps for a tick, or until a loop gets busy when none is. Gives back by how much it overslept, ns.
  private func rest(_ loops: [WatchedLoop]) -> UInt64 {
    guard loops.contains(where: \.isBusy) else {
      WatcherParking.park(until: nil) { isAwaited || loops.contains(where: \.isBusy) }
      return 0
    }
    let before = MonotonicClock.now()
    _ = pauseWord.exchange(0)
    while !isAwaited, pauseWord.wait(while: 0, until: before + tick) != .timedOut, pauseWord.load() == 0 {}
    let slept = MonotonicClock.now() - before
    return slept > tick ? slept - tick : 0
  }

  private func takeRequests(into loops: inout [WatchedLoop]) {
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
