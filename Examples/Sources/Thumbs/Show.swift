import CommandLineOptions
import Mainspring
import Pictures
import StallMonitor
import StallReport
import Synchronization

/// The whole show: idle work on the main loop, a careless callback in the middle of it, and what the monitor saw.
@MainActor
final class Show {
  /// How long reports may take: naming functions is slow where the program was not built in release.
  private static let reportsWait = Duration.seconds(20)

  private let settings: Request.Settings
  private let work: ThumbnailWork
  /// The picture that the careless callback takes on, if there is any picture at all.
  private let largest: PictureFile?
  private let reports = ReportList()
  /// How long the careless callback took; nil while it has not been called, or if it failed.
  private var carelessDuration: Duration?
  /// What there is to be done before the loop is stopped.
  private var isCarelessAwaited = false
  private var isWorkAwaited = false
  private var unreadable: [String: String]

  init(_ folder: PictureFolder, settings: Request.Settings) {
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
      try repeatIfUnseen()
    } catch {
      Thumbs.complain("\(error)")
      return .failure
    }
    for (name, reason) in unreadable.sorted(by: { $0.key < $1.key }) { work.fail(name, reason) }
    let isTold = Summary(work: work, reports: reports.all, settings: settings).write()
    if !isTold { Thumbs.complain("standard output cannot be written") }
    for failure in work.failures { Thumbs.complain(failure) }
    return work.failures.isEmpty && isTold ? .success : .failure
  }

  private func runOnce(threshold: Duration) throws {
    let monitor = try startMonitor(threshold)
    isWorkAwaited = true
    work.whenDone = {
      self.isWorkAwaited = false
      self.stopIfDone()
    }
    work.begin()
    addCarelessTimer(after: .milliseconds(200))
    RunLoop.main.run()
    monitor.stop(waitingFor: Self.reportsWait)
  }

  /// If no report came of the careless callback, since this machine was too fast for what counts as a stall or the
  /// callback was over just when it became one: the same callback again, by a shorter measure.
  private func repeatIfUnseen() throws {
    guard let took = carelessDuration, !isCarelessReported else { return }
    let shortest = StallMonitor.Configuration.thresholdMin
    let what = "the careless callback took \(Milliseconds(took)) and was not seen as a stall, "
    guard took >= shortest else {
      Thumbs.complain(
        what + "since the shortest threshold is \(Milliseconds(shortest)); larger pictures take longer")
      return
    }
    let lower = max(shortest, min(took, settings.threshold) / 3)
    Thumbs.complain(
      what + "with a threshold of \(Milliseconds(settings.threshold)); "
        + "once more with one of \(Milliseconds(lower))")
    let monitor = try startMonitor(lower)
    addCarelessTimer(after: .milliseconds(10))
    RunLoop.main.run()
    monitor.stop(waitingFor: Self.reportsWait)
    if !isCarelessReported { Thumbs.complain("it was not seen again; larger pictures take longer") }
  }

  /// Whether a timer was reported: the other one, the heartbeat, has no time to be a stall.
  private var isCarelessReported: Bool { reports.all.contains { $0.phase.item?.kind == "timer" } }

  private func stopIfDone() { if !isWorkAwaited, !isCarelessAwaited { RunLoop.main.stop() } }

  private func startMonitor(_ threshold: Duration) throws -> StallMonitor {
    var configuration = StallMonitor.Configuration()
    configuration.threshold = threshold
    configuration.folder = settings.reports
    configuration.programVersion = Request.version
    configuration.onReport = { [reports] in reports.note($0) }
    configuration.onFailure = { Thumbs.complain($0) }
    let monitor = try StallMonitor(configuration)
    monitor.watch(RunLoop.main.base, as: "main")
    return monitor
  }

  /// What a careless programmer would write: the largest picture, decoded and scaled whole, in a timer's callback.
  private func addCarelessTimer(after delay: Duration) {
    guard let largest else { return }
    isCarelessAwaited = true
    RunLoop.main.addTimer(after: delay, to: .default) { _ in
      let clock = ContinuousClock()
      var isMade = false
      let duration = clock.measure { isMade = self.work.make(largest, detail: .full) }
      self.carelessDuration = isMade ? duration : nil
      self.isCarelessAwaited = false
      self.stopIfDone()
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
