import LinuxKernel
public import Mainspring
import Synchronization

/// Sees when a watched loop is stuck, takes its thread's stack while it is, and reports which callout did it.
///
/// One thread watches any number of loops and sleeps while all of them wait; another names functions and writes. The
/// watched threads only store into their beacons: they take no lock and allocate nothing for the monitor.
///
///     let monitor = try StallMonitor(configuration)
///     monitor.watch(.current, as: "main")
public final class StallMonitor: Sendable {
  /// The version that reports name.
  static let version = "0.1.0"

  private let watcher: Watcher
  private let reporter: Reporter
  private let nextNumber = Atomic<Int>(1)

  /// Starts watching; nothing is watched until `watch` is called.
  ///
  /// - Throws: what of the configuration cannot be; no thread was started then.
  public init(_ configuration: Configuration = Configuration()) throws(StartError) {
    guard configuration.threshold >= Configuration.thresholdMin else {
      throw .thresholdTooShort(configuration.threshold)
    }
    let folder = try configuration.folder.map { path throws(StartError) in try ReportFolder(path: path) }
    reporter = Reporter(configuration, folder: folder)
    watcher = Watcher(threshold: configuration.threshold, reporter: reporter)
    do throws(KernelError) {
      try reporter.start()
      try watcher.start()
    } catch {
      reporter.finish()
      throw .system(reason: "no thread could be made: \(error)")
    }
  }

  deinit { watcher.requestStop() }

  /// Watches a loop under a name, for the life of the monitor. Any thread.
  public func watch(_ loop: RunLoop, as name: String) {
    // A thread whose stack is nearly used up has no room for a signal's frame, unless it has a stack for signals.
    loop.update { _ in try? StackSampler.prepareCurrentThread() }
    let number = nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    watcher.add(WatchRequest(number: number, name: name, beacon: loop.beacon))
  }

  /// Stops watching and waits, for at most `limit`, until what was found is written. Any thread, but not from within
  /// `onReport`.
  ///
  /// - Returns: whether everything was written.
  @discardableResult
  public func stop(waitingFor limit: Duration = .seconds(2)) -> Bool {
    watcher.requestStop()
    return reporter.waitUntilFinished(limit)
  }
}
