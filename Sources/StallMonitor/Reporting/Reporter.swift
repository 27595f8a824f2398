import LinuxKernel
import Mainspring
import StallReport
import Symbols

/// Turns what was found into reports, writes them and hands them out. On the reporter's thread.
final class Reporter {
  private let configuration: StallMonitor.Configuration
  private let folder: ReportFolder?
  private let symbolicator: Symbolicator
  private let facts: ProcessFacts
  private let tick: UInt64
  private let memory = OwnMemory()
  private var lastWriteTime: Duration?

  init(_ configuration: StallMonitor.Configuration, folder: ReportFolder?, tick: UInt64) {
    self.configuration = configuration
    self.folder = folder
    symbolicator = Symbolicator(memory: memory)
    facts = ProcessFacts(memory: memory)
    self.tick = tick
  }

  /// - Parameter watcher: the kernel's number of the watcher's thread.
  func report(_ finding: Finding, watcher: Int32) {
    let isDebugged = ProcessFacts.isDebugged
    guard !isDebugged || configuration.reportsWhenDebugged else { return }
    var report = ReportBuilder(
      finding: finding, facts: facts, symbolicator: symbolicator, memory: memory
    ).build()
    report.app.name = configuration.programName ?? report.app.name
    report.app.version = configuration.programVersion
    report.process.isDebugged = isDebugged
    report.process.sanitizer = SlowEnvironment.sanitizer
    describeMonitor(&report, finding, watcher)
    let images = Set(report.stacks.images.map(\.name))
    if !symbolicator.unreadDebugInfo.isDisjoint(with: images) {
      report.confidence.flags.append("debug-info-unread")
    }
    report.computeFingerprint()
    write(report)
    configuration.onReport?(report)
  }

  /// Lets go of what is needed only while reports are made.
  func rest() { symbolicator.closeFiles() }

  private func describeMonitor(_ report: inout Report, _ finding: Finding, _ watcher: Int32) {
    report.monitor.tick = .nanoseconds(Int64(tick))
    report.monitor.wakeUps = finding.wakeUps
    let threads = [watcher, ThreadIdentity.kernelNumber].compactMap { ThreadTimes(thread: $0) }
    report.monitor.cpu = threads.map { .nanoseconds(Int64(clamping: $0.cpuNanoseconds)) }.reduce(.zero, +)
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
