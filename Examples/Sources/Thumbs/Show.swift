import CommandLineOptions
import Mainspring
import Pictures
import StallMonitor
import StallReport
import Synchronization

/// The whole show: idle work on the main loop, a careless callback in the middle of it, and what the monitor saw.
@MainActor
final class Show {
  private let settings: Request.Settings
  private let work: ThumbnailWork
  /// The picture that the careless callback takes on, if there is any picture at all.
  private let largest: PictureFile?
  private let reports = ReportList()
  private var carelessDuration = Duration.zero
  private var unreadable: [String: String]

  init(_ folder: PictureFolder, settings: Request.Settings) throws {
    self.settings = settings
    largest = folder.largest
    unreadable = folder.unreadable
    let careless = folder.largest
    // The small ones first, so that there is soon something to see.
    let files = folder.files.filter { $0 != careless }.sorted { $0.size.pixelCount < $1.size.pixelCount }
    work = ThumbnailWork(files, settings: settings)
  }

  func run() -> ExitCode {
    do {
      try runOnce(threshold: settings.threshold)
      if largest != nil, carelessDuration < settings.threshold { try repeatWithLowerThreshold() }
    } catch {
      StandardStream.error.write("Thumbs: \(error)\n")
      return .failure
    }
    for (name, reason) in unreadable.sorted(by: { $0.key < $1.key }) { work.fail(name, reason) }
    Summary(work: work, reports: reports.all, settings: settings).write()
    for failure in work.failures { StandardStream.error.write("Thumbs: \(failure)\n") }
    return work.failures.isEmpty ? .success : .failure
  }

  private func runOnce(threshold: Duration) throws {
    let monitor = try startMonitor(threshold)
    work.whenDone = { RunLoop.main.stop() }
    work.begin()
    addCarelessTimer(after: .milliseconds(200))
    RunLoop.main.run()
    monitor.stop()
  }

  /// This machine was too fast for what counts as a stall: the same callback again, by a shorter measure.
  private func repeatWithLowerThreshold() throws {
    let lower = max(StallMonitor.Configuration.thresholdMin, carelessDuration / 3)
    StandardStream.error.write(
      "Thumbs: the careless callback took \(Milliseconds(carelessDuration)), less than the threshold of "
        + "\(Milliseconds(settings.threshold)); once more with a threshold of \(Milliseconds(lower))\n")
    let monitor = try startMonitor(lower)
    addCarelessTimer(after: .zero)
    RunLoop.main.perform(in: .default) {}
    RunLoop.main.run(in: .default, for: .seconds(30), returnAfterSourceHandled: true)
    monitor.stop()
  }

  private func startMonitor(_ threshold: Duration) throws -> StallMonitor {
    var configuration = StallMonitor.Configuration()
    configuration.threshold = threshold
    configuration.folder = settings.reports
    configuration.programVersion = "0.1.0"
    configuration.onReport = { [reports] in reports.note($0) }
    configuration.onFailure = { StandardStream.error.write("Thumbs: \($0)\n") }
    let monitor = try StallMonitor(configuration)
    monitor.watch(RunLoop.main.base, as: "main")
    return monitor
  }

  /// What a careless programmer would write: the largest picture, decoded and scaled whole, in a timer's callback.
  private func addCarelessTimer(after delay: Duration) {
    guard let largest else { return }
    RunLoop.main.addTimer(after: delay, to: .default) { _ in
      let clock = ContinuousClock()
      self.carelessDuration = clock.measure { self.work.make(largest, detail: .full) }
    }
  }
}

/// The latest state of each report, in the order of the stalls.
final class ReportList: Sendable {
  private let reports = Mutex<[Report]>([])

  /// Any thread.
  func note(_ report: Report) {
    reports.withLock { list in
      if let index = list.firstIndex(where: { $0.id == report.id }) {
        list[index] = report
      } else {
        list.append(report)
      }
    }
  }

  var all: [Report] { reports.withLock { $0 } }
}
