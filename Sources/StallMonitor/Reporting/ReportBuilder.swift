import LinuxKernel
import Mainspring
import StallReport
import Symbols

/// Makes a report of what was gathered about one stall.
struct ReportBuilder {
  let finding: Finding
  let facts: ProcessFacts
  let symbolicator: Symbolicator
  let memory: OwnMemory

  private var open: OpenStall { finding.open }
  private var start: UInt64 { finding.start }
  /// Up to when the stall is known.
  private var end: UInt64 { finding.end ?? finding.seenAt }

  func build() -> Report {
    let longest = longestCallout
    var report = Report(
      id: finding.identifier, kind: kind, state: state,
      app: facts.application, process: facts.process(at: end), loop: loopValue(longest.reading),
      phase: phase(longest.reading), time: time, cost: cost,
      monitor: Report.Monitor(version: StallMonitor.version))
    report.host = facts.host
    report.shape = shape(longest)
    report.samplesDropped = open.samplesDropped
    report.passes.histogram = finding.lag.map(Self.histogram) ?? [:]
    addDoubts(to: &report)
    addCircumstances(to: &report)
    var frames = FrameTable(symbolicator: symbolicator, facts: facts)
    addSamples(to: &report, &frames)
    if finding.loop.kind == .cfRunLoop { report.takePhaseFromStacks() }
    addThread(to: &report)
    let latest = open.samples.last { $0.stack != nil }?.stack
    if let sample = open.process {
      Self.addThreads(sample, stalled: latest, frames: &frames, to: &report)
    }
    if let chain = open.chain { Self.addWaits(chain, deadlock: open.deadlock, to: &report) }
    return report
  }

  /// By whole milliseconds, as reports have it: from 1 ms on, each time double.
  private static func histogram(_ lag: RunLoop.LagHistogram) -> [Int: Int] {
    let counts = lag.counts.dropFirst(RunLoop.LagHistogram.bucketsBelowMillisecond).enumerated()
    return Dictionary(uniqueKeysWithValues: counts.map { (1 << $0.offset, Int(clamping: $0.element)) })
  }

  private var state: Report.State {
    if case .crash = finding.subject { return .unrecovered }
    return finding.end == nil ? .ongoing : .recovered
  }

  static func duration(_ nanoseconds: UInt64) -> Duration {
    .nanoseconds(Int64(clamping: nanoseconds))
  }

  // MARK: what the beacon said

  /// The callout that lasted longest, and how long.
  private var longestCallout: (reading: Reading?, time: UInt64) {
    let longest = open.callouts.max { $0.to - $0.from < $1.to - $1.from }
    return longest.map { ($0.reading, $0.to - $0.from) } ?? (nil, 0)
  }

  /// What the loop has counted goes before what was seen of it: a look may have met the moment before a callout.
  private var isManyCallouts: Bool {
    open.calloutCount > 0 ? open.calloutCount > 1 : open.callouts.count > 1
  }

  /// The share of a pass, 3/5, that makes one callout responsible for it: that of a culprit among stacks.
  private static let dominance: (numerator: UInt64, denominator: UInt64) = (3, 5)

  /// One long callout is a stall; many that only together are long make a backlog.
  private var kind: Report.Kind {
    switch finding.subject {
    case .starvedPass: return .starvation
    case .saturation: return .saturation
    case .crash: return .crash
    case .pass:
      let longest = longestCallout.time
      let length = end - min(start, end)
      let isLong =
        longest >= finding.threshold
        || longest * Self.dominance.denominator >= length * Self.dominance.numerator
      return isManyCallouts && !isLong ? .backlog : .stall
    }
  }

  private func shape(_ longest: (reading: Reading?, time: UInt64)) -> Report.Shape {
    var shape = Report.Shape()
    // Of many passes, not of one.
    if finding.subject == .saturation {
      shape.verdict = .manyItems
      return shape
    }
    // Not every loop of others tells of its items.
    guard open.calloutCount > 0 || finding.loop.kind == .mainspring else {
      shape.verdict = .unknown
      return shape
    }
    shape.verdict = isManyCallouts ? .manyItems : .singleItem
    shape.itemsInPass = open.calloutCount == 0 ? nil : Int(clamping: open.calloutCount)
    shape.longestItem = Self.duration(isManyCallouts ? longest.time : end - start)
    return shape
  }

  private func addDoubts(to report: inout Report) {
    report.confidence.watcherLate = Self.duration(open.watcherLate)
    report.confidence.suspended = Self.duration(finding.suspended)
    report.confidence.clockStep = .nanoseconds(finding.clockStep)
    var flags = Set(open.samples.compactMap(\.failure?.flag))
    if open.samples.isEmpty { flags.insert("seen-too-late") }
    if finding.excluded > 0 { flags.insert("stood-still") }
    report.confidence.flags = flags.sorted()
  }

  /// Whether the loop had not waited yet, and what the program had said that it would wait for, where it waited for more.
  private func addCircumstances(to report: inout Report) {
    if case .crash(let facts) = finding.subject { report.annotations.merge(facts.annotations) { $1 } }
    if finding.isLaunch { report.annotations["launch"] = "before the loop's first wait" }
    guard finding.paused >= 1_000_000 else { return }
    report.annotations["paused_ms"] = String(finding.paused / 1_000_000)
    report.annotations["paused_reason"] = literal(at: finding.pauseReason)
  }

  private func loopValue(_ reading: Reading?) -> Report.Loop {
    Report.Loop(
      id: finding.loop.number, name: finding.loop.name, kind: finding.loop.kind,
      thread: Report.ThreadName(tid: Int(finding.loop.thread), name: open.threadName),
      mode: reading?.modeNumber.map { RunLoop.Mode(number: $0).name }, nesting: reading?.nesting ?? 0)
  }

  private func phase(_ reading: Reading?) -> Report.Phase {
    let phase = reading?.phase ?? .betweenCallouts
    if phase == .work, let word = reading.flatMap({ literal(at: $0.site.fileAddress) }) {
      return Report.Phase(name: Report.PhaseName(rawValue: word), source: .observer)
    }
    guard let reading, phase.isCallout || reading.site.fileAddress != 0 else {
      return Report.Phase(name: phase.reportName, source: .observer)
    }
    return Report.Phase(
      name: phase.reportName, source: .observer,
      item: Report.Item(kind: phase.isCallout ? phase.itemName : "item", madeAt: place(reading.site)))
  }

  /// No path of a source is longer, nor is a page of memory smaller.
  private static let pathByteCountMax = 4096

  /// Copied by the kernel, not read through the pointer: the library that it lies in may have been closed since.
  private func place(_ site: CallSite) -> Report.SourceLocation? {
    literal(at: site.fileAddress).map { Report.SourceLocation(file: $0, line: site.line) }
  }

  private func literal(at address: UInt) -> String? {
    guard address != 0 else { return nil }
    let start = UInt64(address)
    // To the end of the page, and of the next one only where the name goes on: what follows may not be there.
    let inPage = Self.pathByteCountMax - Int(start % UInt64(Self.pathByteCountMax))
    var bytes = memory.bytes(at: start, count: inPage)
    if !bytes.contains(0) {
      bytes += memory.bytes(at: start + UInt64(inPage), count: Self.pathByteCountMax - inPage)
    }
    guard let end = bytes.firstIndex(of: 0), end > 0,
      let text = String(validating: bytes[..<end], as: UTF8.self)
    else { return nil }
    return text
  }

  // MARK: time and cost

  /// Progress is stamped with the kernel's last tick: what happened may have happened so much later.
  private static let stampUncertainty = Duration.nanoseconds(Int64(MonotonicClock.coarseResolution))

  private var time: Report.Time {
    let startUnix = open.startUnix ?? .ofMonotonic(start)
    let elapsed = end > start ? end - start : 0
    let excluded = min(elapsed, finding.excluded &+ finding.paused)
    var time = Report.Time(
      startUnix: startUnix, start: Report.MonotonicTime(nanoseconds: start),
      end: finding.end.map { Report.MonotonicTime(nanoseconds: $0) },
      threshold: Self.duration(finding.threshold),
      duration: Self.duration(elapsed - excluded))
    time.endUnix = finding.end.map { startUnix.advanced(by: Int64(clamping: $0 - min($0, start))) }
    time.startUncertainty = Self.stampUncertainty
    time.endUncertainty = finding.end == nil ? nil : Self.stampUncertainty
    time.excluded = Self.duration(excluded)
    time.detectedAfter = open.confirmedAt.map { Self.duration($0 - min($0, start)) }
    return time
  }

  private var cost: Report.Cost {
    // What was declared does not count here either.
    guard let use = open.use?.withoutPause(finding.paused), use.window > 0 else { return Report.Cost() }
    var cost = Report.Cost(
      window: Self.duration(use.window), cpu: Self.duration(use.cpu), runnable: Self.duration(use.queued),
      offCPU: Self.duration(use.offCPU))
    cost.voluntarySwitches = Int(clamping: use.voluntarySwitches)
    cost.involuntarySwitches = Int(clamping: use.involuntarySwitches)
    if cost.verdict == .blocked, let blocked = open.samples.last(where: { $0.stack?.call != nil })?.stack {
      cost.systemCall = blocked.call.map { SystemCallName.of($0.number) }
      cost.waitChannel = blocked.waitChannel
    }
    return cost
  }

  // MARK: stacks

  /// A sample stands for the time that is nearer to it than to any other; the first, for what came before it as well, and
  /// the last for what came after.
  private func addSamples(to report: inout Report, _ frames: inout FrameTable) {
    // Time that does not count is nobody's: it is taken out before the rest is shared.
    let moments = open.samples.map { $0.time - min($0.time, $0.excluded) }
    let borders = zip(moments, moments.dropFirst()).map { $0 + ($1 - min($0, $1)) / 2 }
    let begins = [start] + borders
    let ends = borders + [max(end - min(end, finding.excluded + finding.paused), moments.last ?? 0)]
    for (index, sample) in open.samples.enumerated() {
      let stack = sample.stack.map { frames.stack(of: $0, in: &report.stacks) }
      report.samples.append(
        Report.Sample(
          time: Self.duration(sample.time - min(start, sample.time)), stack: stack,
          weight: Self.duration(ends[index] - min(begins[index], ends[index])),
          state: sample.stack?.state, cost: sample.isUnchanged ? nil : sample.stack?.pause,
          method: sample.method))
    }
  }

  private func addThread(to report: inout Report) {
    var thread = Report.Thread(name: report.loop.thread, isStalled: true)
    thread.state = report.samples.last?.state
    thread.cpu = report.cost.cpu
    thread.stack = report.samples.last?.stack
    thread.registers = open.samples.last { $0.stack != nil }?.stack?.registers.byName
    report.threads = [thread]
  }
}

extension CaptureError {
  /// Why there is no stack, as reports have it among their doubts.
  fileprivate var flag: String {
    switch self {
    case .signalsBlocked: "signals-blocked"
    case .timedOut, .busy: "no-answer"
    case .noSuchThread: "thread-gone"
    case .ownThread, .stackUnreadable, .failed: "stack-unreadable"
    }
  }
}
