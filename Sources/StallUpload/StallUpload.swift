import LinuxKernel
import Mainspring
public import StallMonitor

/// Sends the reports that a monitor keeps to a collector.
///
/// What an earlier life of the program left is sent when the monitor starts; what is stored later, after an interval; a
/// stall that is severe, at once. Reports stay in the archive until the server has them: a server that is not there
/// costs nothing but rests that grow. Everything happens on a thread of its own, a loop with libcurl's transfers; the
/// program never waits for it, except for `StallMonitor.stop`, within its limit.
///
///     var configuration = StallMonitor.Configuration()
///     configuration.folder = "/var/lib/maild/stalls"
///     configuration.delivery = try StallUpload(.init(address: "https://stalls.example/api/reports", token: token))
///     let monitor = try StallMonitor(configuration)
public final class StallUpload: ReportDelivery, Sendable {
  private let configuration: Configuration
  private let carriers = Locked<[Carrier]>([])

  /// A thread and what it sends.
  private struct Carrier: Sendable {
    let thread: RunLoopThread
    let session: UploadSession
  }

  /// An upload that begins when a monitor starts with it.
  public init(_ configuration: Configuration) throws(ConfigurationError) {
    try configuration.check()
    self.configuration = configuration
  }

  /// Begins to send what is in the archive. By the monitor.
  public func start(_ archive: ReportArchive) {
    let session = UploadSession(configuration, archive)
    do throws(RunLoopThread.StartError) {
      // None of the program's signal handlers run here, nor does a broken connection end the program.
      let thread = try RunLoopThread(named: "stall-upload", niceness: 5, signals: .blocked) {
        session.start(on: $0)
      }
      carriers.withLock { $0.append(Carrier(thread: thread, session: session)) }
    } catch {
      configuration.onChange?("reports are not uploaded: no thread could be made (\(error))")
    }
  }

  /// Notes that a report was stored. Any thread; does not wait.
  public func reportsStored(isUrgent: Bool) {
    for carrier in carriers.withLock({ $0 }) {
      carrier.thread.perform { carrier.session.noteStored(isUrgent: isUrgent) }
    }
  }

  /// Sends what is left, as far as that is done within `limit`, and ends. What is not sent stays in the archive, and is sent
  /// when a monitor starts next.
  ///
  /// - Returns: whether everything was sent.
  @discardableResult
  public func finish(within limit: Duration) -> Bool {
    let deadline = RunLoop.Instant.now.advanced(by: limit)
    let ending = carriers.withLock { carriers -> [Carrier] in
      defer { carriers = [] }
      return carriers
    }
    for carrier in ending { carrier.thread.perform { carrier.session.beginFinish() } }
    var isAllSent = true
    for carrier in ending {
      if !carrier.session.waitUntilFinished(deadline) { isAllSent = false }
      carrier.thread.perform { carrier.session.abandon() }
      carrier.thread.stop(for: max(.zero, RunLoop.Instant.now.duration(to: deadline)))
    }
    return isAllSent
  }
}
