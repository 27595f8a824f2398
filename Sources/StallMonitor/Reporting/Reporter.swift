import LinuxKernel
import Mainspring
import StallReport
import Symbols

/// Turns what was found into reports, writes them and hands them out. On the monitor's thread.
final class Reporter {
  private let configuration: StallMonitor.Configuration
  private let folder: ReportFolder?
  private let symbolicator: Symbolicator
  private let facts: ProcessFacts
  private let tick: UInt64
  /// How often the monitor's thread woke since its start.
  var wakeUps = 0
  private var lastWriteTime: Duration?

  init(_ configuration: StallMonitor.Configuration, folder: ReportFolder?, memory: OwnMemory, tick: UInt64) {
    self.configuration = configuration
    self.folder = folder
    symbolicator = Symbolicator(memory: memory)
    facts = ProcessFacts(memory: memory)
    self.tick = tick
  }

  func report(_ finding: WatchedLoop.Finding, of loop: WatchedLoop) {
    let isDebugged = ProcessFacts.isDebugged
    guard !isDebugged || configuration.reportsWhenDebugged else { return }
    var report = ReportBuilder(
      finding: finding, loop: loop, facts: facts, symbolicator: symbolicator,
      threshold: configuration.threshold
    ).build()
    report.app.name = configuration.programName ?? report.app.name
    report.app.version = configuration.programVersion
    report.process.isDebugged = isDebugged
    describeMonitor(&report)
    report.computeFingerprint()
    write(report)
    configuration.onReport?(report)
  }

  private func describeMonitor(_ report: inout Report) {
    report.monitor.tick = .nanoseconds(Int64(tick))
    report.monitor.wakeUps = wakeUps
    report.monitor.cpu = ThreadTimes(thread: ThreadIdentity.kernelNumber).map {
      .nanoseconds(Int64(clamping: $0.cpuNanoseconds))
    }
    report.monitor.write = lastWriteTime
  }

  private func write(_ report: Report) {
    guard let folder else { return }
    let before = MonotonicClock.now()
    do throws(KernelError) {
      try folder.write(report)
    } catch {
      configuration.onFailure?("the report \(report.id) could not be written to \(folder.path): \(error)")
    }
    lastWriteTime = .nanoseconds(Int64(clamping: MonotonicClock.now() - before))
  }
}
