import Glibc
import LinuxKernel
public import Mainspring
package import StallReport
import Synchronization

/// Sees when a watched loop is stuck, takes its thread's stack while it is, and reports which callout did it.
///
/// One thread of its own watches any number of loops; it sleeps while all of them wait. The watched threads only
/// store into their beacons: they take no lock and allocate nothing for the monitor. A second thread names functions,
/// writes reports and calls the configuration's closures.
///
///     let monitor = try StallMonitor(configuration)
///     monitor.watch(.current, as: "main")
public final class StallMonitor: Sendable {
  /// The version that reports name.
  static let version = "0.1.0"

  /// Nil where the environment switches monitors off.
  private let watcher: Watcher?
  private let nextNumber = Atomic<Int>(1)
  let counts: StallCounts?
  let lags: WatchedLags?
  /// A forked child has none of the monitor's threads.
  private let generation: UInt32
  /// Among those who are told of a crash; 0 for none.
  private let crashListener: Int

  /// Starts watching; nothing is watched until `watch` is called. Keep the monitor: it stops when it goes.
  ///
  /// With `STALL_MONITOR=0` in the environment it does nothing: for who runs a program and wants to be sure.
  public init(_ configuration: Configuration = Configuration()) throws(StartError) {
    Fork.watch()
    generation = Fork.generation
    let watcher = try Watcher(configuration)
    guard !Self.isSwitchedOff else {
      (self.watcher, crashListener, counts, lags) = (nil, 0, nil, nil)
      return
    }
    counts = watcher.counts
    lags = WatchedLags()
    self.watcher = watcher
    try watcher.start()
    crashListener = CrashListeners.add { [weak watcher] crash, limit in watcher?.report(crash, within: limit)
    }
  }

  deinit {
    CrashListeners.remove(crashListener)
    watcher?.requestStop()
  }

  private static var isSwitchedOff: Bool {
    // SAFETY: the value is a string of the environment; it is only compared.
    guard let value = unsafe getenv("STALL_MONITOR") else { return false }
    return unsafe strcmp(value, "0") == 0
  }

  /// Watches a loop under a name, for the life of both. Watched again, a loop gets the new name. Any thread.
  public func watch(_ loop: RunLoop, as name: String) {
    // A thread whose stack is nearly used up has no room for a signal's frame, unless it has a stack for signals.
    loop.update { _ in try? StackSampler.prepareCurrentThread() }
    watch(loop.beacon, as: name, kind: .mainspring)
  }

  /// Watches the main thread's loop under a name. Any thread.
  public func watch(_ loop: MainRunLoop, as name: String) { watch(loop.base, as: name) }

  /// The length of a stall, ns, as this machine's slowness allows for; without end where the monitor is switched off.
  package var threshold: UInt64 { watcher?.threshold ?? .max }

  /// Whether the monitor was started by a process that this one was forked from. It watches on there; here nothing does.
  private var isInherited: Bool { Fork.generation != generation }

  /// Watches whatever stores into a beacon.
  package func watch(_ beacon: Beacon, as name: String, kind: Report.Loop.Kind) {
    guard let watcher, !isInherited else { return }
    // At once, not when the watcher comes to it: the pass that begins next has its stamp.
    let recordsSeen = beacon.recordCount
    if watcher.measuresLag { lags?.add(beacon, as: name) }
    watcher.beginWatching(beacon)
    let number = nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    watcher.add(
      WatchRequest(number: number, name: name, kind: kind, beacon: beacon, recordsSeen: recordsSeen))
  }

  /// Runs `body`, which is known to keep the loop of the calling thread waiting and is meant to: a modal question, a
  /// start. Its time is not held against the pass that it is in.
  ///
  /// It holds for this call only: what a run inside it does is watched like everything else. Calls may be nested; the
  /// outermost counts. Outside of a loop's callouts it does nothing else than call `body`.
  ///
  /// - Parameter reason: a literal; reports of the pass, if it is a stall all the same, name it.
  public static func pause<Value, Failure: Error>(
    reason: StaticString, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let beacon = RunLoop.existingBeaconOfThisThread else { return try body() }
    return try beacon.pausing(reason, body)
  }

  /// Stops watching and waits, for at most `limit`, until what was found is written and, in what is left of that time, sent,
  /// if there is a delivery. Any thread but the monitor's.
  ///
  /// A forked child has none of the monitor's threads: there it does nothing, and there is nothing to write.
  ///
  /// - Returns: whether everything was written.
  @discardableResult
  public func stop(waitingFor limit: Duration = .seconds(2)) -> Bool {
    guard let watcher, !isInherited else { return true }
    return watcher.stop(within: limit)
  }
}

extension Beacon {
  /// Declares for as long as `body` takes that the loop's thread waits and is meant to. On that thread.
  func pausing<Value, Failure: Error>(
    _ reason: StaticString, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    beginPause(at: MonotonicClock.now(), reason: CallSite(reason, 0).fileAddress)
    defer { endPause(at: MonotonicClock.now()) }
    return try body()
  }
}
