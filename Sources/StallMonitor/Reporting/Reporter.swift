import LinuxKernel
import Mainspring
import StallReport
import Symbols

/// Turns what was found into reports, writes them and hands them out. On the reporter's thread.
final class Reporter {
  private let configuration: StallMonitor.Configuration
  private let archivist: Archivist?
  private var policy: ReportPolicy
  private let instance: String
  private let symbolicator: Symbolicator
  private let facts: ProcessFacts
  private let limits: WatchLimits
  private let counts: StallCounts
  private let memory = OwnMemory()
  private var lastWriteTime: Duration?

  init(
    _ configuration: StallMonitor.Configuration, archivist: Archivist?, _ limits: WatchLimits,
    _ counts: StallCounts
  ) {
    self.configuration = configuration
    self.archivist = archivist
    self.limits = limits
    self.counts = counts
    policy = ReportPolicy(configuration.limits, start: MonotonicClock.now())
    instance = archivist?.instance ?? SidecarName.randomToken()
    symbolicator = Symbolicator(memory: memory)
    facts = ProcessFacts(memory: memory)
  }

  /// Looks after what is in the archive already, and lets it be sent.
  func begin() {
    guard let archivist else { return }
    archivist.tidy(at: MonotonicClock.now())
    configuration.delivery?.start(archivist.archive)
  }

  /// - Parameter watcher: the kernel's number of the watcher's thread.
  func report(_ finding: Finding, watcher: Int32) {
    let isDebugged = ProcessFacts.isDebugged
    guard !isDebugged || configuration.reportsWhenDebugged || finding.isCrash else { return }
    var report = ReportBuilder(
      finding: finding, facts: facts, symbolicator: symbolicator, memory: memory
    ).build()
    report.app.name = configuration.programName ?? report.app.name
    report.app.version = configuration.programVersion
    report.process.instance = instance
    report.process.isDebugged = isDebugged
    report.process.sanitizer = SlowEnvironment.sanitizer
    describeMonitor(&report, finding, watcher)
    let images = Set(report.stacks.images.map(\.name))
    if !symbolicator.unreadDebugInfo.isDisjoint(with: images) {
      report.confidence.flags.append("debug-info-unread")
    }
    report.computeFingerprint()
    if finding.isLeft { report.leave() }
    let isLast = finding.end != nil || finding.isLeft
    keep(&report, isLast: isLast)
    if isLast { counts.note(report) }
    configuration.onReport?(report)
  }

  /// Lets go of what is needed only while reports are made.
  func rest() { symbolicator.closeFiles() }

  private func describeMonitor(_ report: inout Report, _ finding: Finding, _ watcher: Int32) {
    report.monitor.tick = .nanoseconds(Int64(limits.tick))
    report.monitor.wakeUps = finding.wakeUps
    let threads = [watcher, ThreadIdentity.kernelNumber].compactMap { ThreadTimes(thread: $0) }
    report.monitor.cpu = threads.map { .nanoseconds(Int64(clamping: $0.cpuNanoseconds)) }.reduce(.zero, +)
    report.monitor.write = lastWriteTime
  }

  // MARK: the archive

  private func keep(_ report: inout Report, isLast: Bool) {
    report.sampling.rate = configuration.samplingRate
    guard let archivist else { return }
    if report.kind == .crash {
      report.sampling.reason = "crash"
      put(report, in: archivist, isLast: true, isUrgent: true)
      return
    }
    let length = report.time.duration.wholeNanoseconds
    let stall = ReportPolicy.Stall(
      id: report.id, issue: report.fingerprint?.level1 ?? "", title: report.fingerprint?.title ?? "",
      isSevere: limits.bands.first.map { length >= $0 } ?? false, isOver: isLast)
    guard isSampled(report), case .full(let admission) = policy.judge(stall, at: MonotonicClock.now()) else {
      if isLast { counts.note(.counted) }
      return
    }
    report.sampling.sequence = admission.sequence
    report.sampling.suppressedSinceLast = admission.suppressed
    report.sampling.reason = admission.reason.rawValue
    let isUrgent = !isLast && limits.bands.last.map { length >= $0 } ?? false
    put(report, in: archivist, isLast: isLast, isUrgent: isUrgent)
  }

  private func put(_ report: Report, in archivist: Archivist, isLast: Bool, isUrgent: Bool) {
    let before = MonotonicClock.now()
    let isKept = archivist.keep(report, isLast: isLast, isUrgent: isUrgent)
    lastWriteTime = .nanoseconds(Int64(clamping: MonotonicClock.now() - before))
    if isLast || !isKept { counts.note(isKept ? .kept : .failed) }
    if isKept { configuration.delivery?.reportsStored(isUrgent: isUrgent) }
  }

  private func isSampled(_ report: Report) -> Bool {
    let host = report.host.id ?? report.host.name ?? ""
    let day = Day.name(ofStamp: report.time.startUnix.compactDescription[...])
    return HostSample.contains(host: host, day: day, rate: configuration.samplingRate)
  }

  /// When it wants to be called though nothing was found, ns, monotonic.
  var nextDue: UInt64? { archivist?.nextDue }

  /// Notes what is over and, if it is given, when what is not was last seen to go on, ns, monotonic; looks after the
  /// archive, if it is time.
  func noteProgress(_ findings: [Finding], seen: UInt64?) {
    guard let archivist else { return }
    archivist.noteEnds(findings.compactMap { finding in finding.end.map { (finding.identifier, $0) } })
    let now = MonotonicClock.now()
    if let seen { archivist.noteSeen(at: seen, now: now) }
    archivist.tidy(at: now)
  }

  /// No finding comes any more.
  ///
  /// - Parameter deadline: until when what is to be sent is waited for, ns, monotonic.
  func end(finishing deadline: UInt64) {
    archivist?.finish()
    tellUntold()
    let now = MonotonicClock.now()
    configuration.delivery?.finish(within: .nanoseconds(Int64(clamping: deadline - min(now, deadline))))
  }

  /// What was only counted, and has found no later report to be told in.
  private func tellUntold() {
    let untold = policy.untold
    guard !untold.isEmpty else { return }
    let list = untold.prefix(Self.untoldMax).map { "\($0.count) of \($0.title)" }
    let more = untold.count > Self.untoldMax ? ", and others" : ""
    configuration.onFailure?(
      "stalls that were only counted since the last report of their issue: "
        + list.joined(separator: ", ") + more)
  }

  /// So many issues find room in a line.
  private static let untoldMax = 10
}
