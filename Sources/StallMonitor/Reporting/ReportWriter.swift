import LinuxKernel
import Mainspring
import StallReport
import Symbols

/// Makes, completes and writes reports. On the reporter's thread.
struct ReportWriter {
  private let configuration: StallMonitor.Configuration
  private let folder: ReportFolder?
  private let symbolicator: Symbolicator
  private let facts: ProcessFacts
  private var lastWriteTime: Duration?

  init(_ configuration: StallMonitor.Configuration, folder: ReportFolder?) {
    self.configuration = configuration
    self.folder = folder
    let memory = OwnMemory()
    symbolicator = Symbolicator(memory: memory)
    facts = ProcessFacts(memory: memory)
  }

  mutating func report(_ finding: Finding, wakeUps: Int) {
    let isDebugged = ProcessFacts.isDebugged
    guard !isDebugged || configuration.reportsWhenDebugged else { return }
    var report = ReportBuilder(
      finding: finding, facts: facts, symbolicator: symbolicator, threshold: configuration.threshold
    ).build()
    report.app.name = configuration.programName ?? report.app.name
    report.app.version = configuration.programVersion
    report.process.isDebugged = isDebugged
    describeMonitor(&report, wakeUps: wakeUps)
    report.computeFingerprint()
    write(report)
    configuration.onReport?(report)
  }

  private func describeMonitor(_ report: inout Report, wakeUps: Int) {
    let threshold = UInt64(configuration.threshold.saturatingNanoseconds)
    report.monitor.tick = .nanoseconds(Int64(Watcher.tick(forThreshold: threshold)))
    report.monitor.wakeUps = wakeUps
    report.monitor.cpu = ThreadTimes(thread: ThreadIdentity.kernelNumber).map {
      .nanoseconds(Int64(clamping: $0.cpuNanoseconds))
    }
    report.monitor.write = lastWriteTime
  }

  private mutating func write(_ report: Report) {
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
