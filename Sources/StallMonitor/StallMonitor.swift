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

  private let watcher: Watcher
  private let nextNumber = Atomic<Int>(1)

  /// Starts watching; nothing is watched until `watch` is called. Keep the monitor: it stops when it goes.
  public init(_ configuration: Configuration = Configuration()) throws(StartError) {
    watcher = try Watcher(configuration)
    try watcher.start()
  }

  deinit { watcher.requestStop() }

  /// Watches a loop under a name, for the life of both. Watched again, a loop gets the new name. Any thread.
  public func watch(_ loop: RunLoop, as name: String) {
    // A thread whose stack is nearly used up has no room for a signal's frame, unless it has a stack for signals.
    loop.update { _ in try? StackSampler.prepareCurrentThread() }
    watch(loop.beacon, as: name, kind: .mainspring)
  }

  /// The length of a stall, ns, as this machine's slowness allows for.
  package var threshold: UInt64 { watcher.threshold }

  /// Watches whatever stores into a beacon.
  package func watch(_ beacon: Beacon, as name: String, kind: Report.Loop.Kind) {
    // At once, not when the watcher comes to it: the pass that begins next has its stamp.
    watcher.beginWatching(beacon)
    let number = nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    watcher.add(WatchRequest(number: number, name: name, kind: kind, beacon: beacon))
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
    beacon.beginPause(at: MonotonicClock.now(), reason: CallSite(reason, 0).fileAddress)
    defer { beacon.endPause(at: MonotonicClock.now()) }
    return try body()
  }

  /// Stops watching and waits, for at most `limit`, until what was found is written. Any thread but the monitor's.
  ///
  /// - Returns: whether everything was written.
  @discardableResult
  public func stop(waitingFor limit: Duration = .seconds(2)) -> Bool {
    watcher.requestStop()
    return watcher.waitUntilStopped(limit)
  }
}
