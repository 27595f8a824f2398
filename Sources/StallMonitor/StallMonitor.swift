import LinuxKernel
public import Mainspring
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
    let number = nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    watcher.add(
      WatchRequest(number: number, name: name, beacon: loop.beacon))
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
