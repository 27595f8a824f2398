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
  let threshold: Duration

  private var open: OpenStall { finding.open }
  private var start: UInt64 { finding.candidate.start }
  /// Up to when the stall is known.
  private var end: UInt64 { finding.end ?? finding.seenAt }

  func build() -> Report {
    let longest = longestCallout
    var report = Report(
      id: finding.identifier, kind: kind, state: finding.end == nil ? .ongoing : .recovered,
      app: facts.application, process: facts.process(at: end), loop: loopValue(longest.reading),
      phase: phase(longest.reading), time: time, cost: cost,
      monitor: Report.Monitor(version: StallMonitor.version))
    report.host = facts.host
    report.shape = shape(longest)
    report.confidence.watcherLate = Self.duration(open.watcherLate)
    report.samplesDropped = open.samplesDropped
    report.confidence.flags = Set(open.samples.compactMap(\.failure?.flag)).sorted()
    addSamples(to: &report)
    addThread(to: &report)
    return report
  }

  private static func duration(_ nanoseconds: UInt64) -> Duration {
    .nanoseconds(Int64(clamping: nanoseconds))
  }

  // MARK: what the beacon said

  /// The callout that lasted longest, and how long.
  private var longestCallout: (reading: Reading?, time: UInt64) {
    let longest = open.callouts.max { $0.to - $0.from < $1.to - $1.from }
    return longest.map { ($0.reading, $0.to - $0.from) } ?? (nil, 0)
  }

  private var isManyCallouts: Bool { open.callouts.count > 1 }

  /// One long callout is a stall; many that only together are long make a backlog.
  private var kind: Report.Kind {
    let isLong = longestCallout.time >= UInt64(threshold.saturatingNanoseconds)
    return isManyCallouts && !isLong ? .backlog : .stall
  }

  private func shape(_ longest: (reading: Reading?, time: UInt64)) -> Report.Shape {
    var shape = Report.Shape()
    shape.verdict = isManyCallouts ? .manyItems : .singleItem
    if let first = open.callouts.first, let last = open.callouts.last {
      shape.itemsInPass = Int(clamping: last.number &- first.number) + 1
    }
    shape.longestItem = Self.duration(isManyCallouts ? longest.time : end - start)
    return shape
  }

  private func loopValue(_ reading: Reading?) -> Report.Loop {
    Report.Loop(
      id: finding.loop.number, name: finding.loop.name, kind: .mainspring,
      thread: Report.ThreadName(tid: Int(finding.loop.thread), name: open.threadName),
      mode: reading?.modeNumber.map { RunLoop.Mode(number: $0).name }, nesting: reading?.nesting ?? 0)
  }

  private func phase(_ reading: Reading?) -> Report.Phase {
    let phase = reading?.phase ?? .betweenCallouts
    guard let reading, phase.isCallout else { return Report.Phase(name: phase.reportName, source: .observer) }
    return Report.Phase(
      name: phase.reportName, source: .observer,
      item: Report.Item(kind: phase.itemName, madeAt: place(reading.site)))
  }

  /// No path of a source is longer, nor is a page of memory smaller.
  private static let pathByteCountMax = 4096

  /// Copied by the kernel, not read through the pointer: the library that it lies in may have been closed since.
  private func place(_ site: CallSite) -> Report.SourceLocation? {
    guard site.fileAddress != 0 else { return nil }
    let start = UInt64(site.fileAddress)
    // To the end of the page, and of the next one only where the name goes on: what follows may not be there.
    let inPage = Self.pathByteCountMax - Int(start % UInt64(Self.pathByteCountMax))
    var bytes = memory.bytes(at: start, count: inPage)
    if !bytes.contains(0) {
      bytes += memory.bytes(at: start + UInt64(inPage), count: Self.pathByteCountMax - inPage)
    }
    guard let end = bytes.firstIndex(of: 0), end > 0,
      let file = String(validating: bytes[..<end], as: UTF8.self)
    else { return nil }
    return Report.SourceLocation(file: file, line: site.line)
  }

  // MARK: time and cost

  /// Progress is stamped with the kernel's last tick: what happened may have happened so much later.
  private static let stampUncertainty = Duration.nanoseconds(Int64(MonotonicClock.coarseResolution))

  private var time: Report.Time {
    let startUnix = open.startUnix ?? .ofMonotonic(start)
    let elapsed = end > start ? end - start : 0
    let excluded = min(elapsed, finding.candidate.excluded)
    var time = Report.Time(
      startUnix: startUnix, start: Report.MonotonicTime(nanoseconds: start),
      end: finding.end.map { Report.MonotonicTime(nanoseconds: $0) }, threshold: threshold,
      duration: Self.duration(elapsed - excluded))
    time.endUnix = finding.end.map { startUnix.advanced(by: Int64(clamping: $0 - min($0, start))) }
    time.startUncertainty = Self.stampUncertainty
    time.endUncertainty = finding.end == nil ? nil : Self.stampUncertainty
    time.excluded = Self.duration(excluded)
    time.detectedAfter = open.confirmedAt.map { Self.duration($0 - start) }
    return time
  }

  private var cost: Report.Cost {
    guard let first = open.timesAtFirst, let last = open.timesAtLast else { return Report.Cost() }
    let window = open.timesWindow
    let cpu = last.cpuNanoseconds &- first.cpuNanoseconds
    let runnable = last.runnableNanoseconds &- first.runnableNanoseconds
    let off = window > cpu &+ runnable ? window - cpu - runnable : 0
    var cost = Report.Cost(
      window: Self.duration(window), cpu: Self.duration(cpu), runnable: Self.duration(runnable),
      offCPU: Self.duration(off))
    cost.voluntarySwitches = Int(clamping: last.voluntarySwitches &- first.voluntarySwitches)
    cost.involuntarySwitches = Int(clamping: last.involuntarySwitches &- first.involuntarySwitches)
    if cost.verdict == .blocked, let blocked = open.samples.last(where: { $0.stack?.call != nil })?.stack {
      cost.systemCall = blocked.call.map { SystemCallName.of($0.number) }
      cost.waitChannel = blocked.waitChannel
    }
    return cost
  }

  // MARK: stacks

  /// A sample stands for the time since the one before it; the last, also for what came after it.
  private func addSamples(to report: inout Report) {
    var frames = FrameTable(symbolicator: symbolicator, facts: facts)
    var previous = start
    for sample in open.samples {
      let stack = sample.stack.map { frames.stack(of: $0, in: &report.stacks) }
      report.samples.append(
        Report.Sample(
          time: Self.duration(sample.time - start), stack: stack,
          weight: Self.duration(sample.time - previous),
          state: sample.stack?.state, cost: sample.isUnchanged ? nil : sample.stack?.pause,
          method: sample.method))
      previous = sample.time
    }
    if let last = report.samples.indices.last, end > previous {
      report.samples[last].weight += Self.duration(end - previous)
    }
  }

  private func addThread(to report: inout Report) {
    var thread = Report.Thread(name: report.loop.thread, isStalled: true)
    thread.state = report.samples.last?.state
    thread.cpu = report.cost.cpu
    thread.stack = report.samples.last?.stack
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
