import Mainspring
import StallReport
import Synchronization
import Testing

@testable import StallMonitor

/// A loop on a thread of its own, watched by a monitor, and the reports that come of it.
///
/// A stall lasts until the monitor has said that it goes on: no test waits for a clock.
final class StalledLoop: Sendable {
  let reports = Mutex<[Report]>([])
  private let confirmedCount = Atomic<Int>(0)
  private let monitor = Mutex<StallMonitor?>(nil)

  /// Runs `body`, which is given the loop, on a fresh thread whose loop is watched; returns all reports.
  static func reports(
    threshold: Duration = .milliseconds(40), folder: String? = nil, names: [String] = ["tested"],
    configure: (inout StallMonitor.Configuration) -> Void = { _ in },
    _ body: @escaping @Sendable (RunLoop, StalledLoop) -> Void
  ) throws -> [Report] {
    let stalled = StalledLoop()
    var configuration = stalled.configuration(threshold: threshold, folder: folder)
    configure(&configuration)
    let monitor = try StallMonitor(configuration)
    TestThread.run {
      let loop = RunLoop.current
      for name in names { monitor.watch(loop, as: name) }
      body(loop, stalled)
      loop.run()
    }
    #expect(monitor.stop(waitingFor: .seconds(30)))
    return stalled.reports.withLock { $0 }
  }

  /// The configuration of a monitor whose reports come here.
  func configuration(
    threshold: Duration = .milliseconds(40), folder: String? = nil
  ) -> StallMonitor.Configuration {
    var configuration = StallMonitor.Configuration()
    configuration.threshold = threshold
    configuration.folder = folder
    // A stall lasts until its report is made: that of all threads would make it longer.
    configuration.severeThresholds = []
    configuration.onReport = { report in
      self.reports.withLock { $0.append(report) }
      if report.state == .ongoing { self.confirmedCount.wrappingAdd(1, ordering: .releasing) }
    }
    return configuration
  }

  /// How many stalls have passed the threshold so far.
  var confirmed: Int { confirmedCount.load(ordering: .acquiring) }

  /// Burns processor time until the stall that this is has been confirmed.
  @inline(never)
  func spinUntilConfirmed(_ count: Int = 1) -> UInt64 {
    var sum: UInt64 = 0
    while confirmed < count { sum = sum &* 31 &+ 7 }
    return sum
  }
}
