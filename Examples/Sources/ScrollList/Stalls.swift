import CommandLineOptions
import Mainspring
import StallMonitor
import StallReport

/// Watches the main loop, and hands each report over on it.
@MainActor
final class Stalls {
  private let monitor: StallMonitor
  /// The last report, until it is taken away.
  private(set) var report: Report?

  init(on loop: MainRunLoop, folder: String, onReport: @escaping @MainActor @Sendable (Report) -> Void) throws
  {
    var configuration = StallMonitor.Configuration()
    configuration.folder = folder
    configuration.programVersion = Request.version
    // Idle work keeps the loop from sleeping, and is meant to; and that others want the processor is for the meter to tell.
    configuration.saturationThreshold = nil
    configuration.starvationThreshold = nil
    configuration.onFailure = { StandardStream.error.writeLine("ScrollList: \($0)") }
    let mail = ReportMail()
    configuration.onReport = { report in loop.perform(in: .common) { mail.deliver?(report) } }
    monitor = try StallMonitor(configuration)
    mail.deliver = { [weak self] report in
      self?.report = report
      onReport(report)
    }
    monitor.watch(loop, as: "main")
  }

  func dismiss() { report = nil }

  func stop() { monitor.stop() }
}

/// Where reports go, once there is somebody for them.
@MainActor
private final class ReportMail {
  var deliver: ((Report) -> Void)?
}
