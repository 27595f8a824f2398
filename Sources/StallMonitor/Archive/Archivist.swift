import LinuxKernel
package import StallReport

/// Puts reports into the archive and keeps it in order. On the reporter's thread.
package final class Archivist {
  private struct OpenStall {
    var name: ReportName
    /// ns, monotonic.
    var start: UInt64
    var record: SidecarRecords.Stall
  }

  private let configuration: StallMonitor.Configuration
  private let folder: ArchiveFolder
  private let urgent = UrgentReports()
  private var sidecar: Sidecar
  /// Stalls whose last state has not been written.
  private var open: [Report.Identifier: OpenStall] = [:]
  private var failures = FailureLine()
  private var tally = Sweep.Tally()
  /// A sweep that could not get below the limits is not repeated before there is a tenth more.
  private var tallyMax = Sweep.Tally()
  private var nextSweep: UInt64 = 0
  private var nextNote: UInt64 = 0

  package init(_ configuration: StallMonitor.Configuration, at place: ArchivePlace) {
    self.configuration = configuration
    folder = place.folder
    sidecar = place.sidecar
  }

  /// What a delivery is given.
  var archive: ReportArchive { ReportArchive(folder, urgent: urgent) }

  /// Tells this run of the program from others.
  var instance: String { sidecar.token }

  private var store: ReportStore {
    ReportStore(folder: folder, writesText: configuration.writesText, writer: sidecar.token)
  }

  // MARK: reports

  /// Writes a state of a report; says whether it is on the disk now.
  ///
  /// - Parameters:
  ///   - isLast: whether no further state comes.
  ///   - isUrgent: whether it is to be sent though the stall goes on.
  @discardableResult
  package func keep(_ report: Report, isLast: Bool, isUrgent: Bool) -> Bool {
    do throws(KernelError) {
      try put(report, isLast: isLast, isUrgent: isUrgent)
    } catch {
      tell(failures.noteFailure("\(error)", of: folder.path))
      return false
    }
    tell(failures.noteSuccess(of: folder.path))
    if tally.reportCount > tallyMax.reportCount || tally.byteCount > tallyMax.byteCount { sweep() }
    return true
  }

  private func put(_ report: Report, isLast: Bool, isUrgent: Bool) throws(KernelError) {
    let former = open[report.id]
    try replaceSidecarIfLost()
    if !isLast, former == nil { try announce(report) }
    let written: (name: ReportName, byteCount: Int)
    do throws(KernelError) {
      written = try store.put(report, isLast: isLast, over: former?.name)
    } catch {
      if former == nil { open[report.id] = nil }
      throw error
    }
    tally.byteCount += written.byteCount
    if former == nil { tally.reportCount += 1 }
    if let former { urgent.remove(former.name.named(.ongoing)) }
    open[report.id]?.name = written.name
    guard isLast else {
      if isUrgent { urgent.insert(written.name.named(.ongoing)) }
      return
    }
    open[report.id] = nil
    if former != nil { try? noteInSidecar() }
  }

  /// In the sidecar before it is in the folder: there is no report that goes on and is of nobody.
  private func announce(_ report: Report) throws(KernelError) {
    let name = ReportName(report, .ongoing)
    let start = report.time.start.nanoseconds
    let record = SidecarRecords.Stall(
      stem: name.stem, id: report.id, seen: start &+ report.time.duration.wholeNanoseconds)
    open[report.id] = OpenStall(name: name, start: start, record: record)
    do throws(KernelError) { try noteInSidecar() } catch {
      open[report.id] = nil
      throw error
    }
  }

  private func noteInSidecar() throws(KernelError) {
    try sidecar.write(open.values.map(\.record).sorted { $0.stem < $1.stem })
  }

  private func replaceSidecarIfLost() throws(KernelError) {
    let root = try folder.open()
    guard !sidecar.isThere(in: root) else { return }
    let replaced = sidecar
    sidecar = try Sidecar.make(in: root)
    replaced.remove(from: root)
    try noteInSidecar()
  }

  // MARK: stalls that go on

  /// Notes when the stalls that go on were last seen to, ns, monotonic.
  package func noteSeen(at seen: UInt64, now: UInt64) {
    guard now >= nextNote, hasOngoing else { return }
    for id in open.keys where open[id]!.record.end == nil {
      open[id]!.record.seen = max(open[id]!.record.seen, seen)
    }
    try? noteInSidecar()
    nextNote = now + noteInterval(at: now)
  }

  /// Notes that stalls are over, before it is told at length how they went.
  package func noteEnds(_ ends: [(id: Report.Identifier, end: UInt64)]) {
    let known = ends.filter { open[$0.id] != nil }
    guard !known.isEmpty else { return }
    for (id, end) in known { open[id]!.record.end = end }
    try? noteInSidecar()
  }

  private var hasOngoing: Bool { open.values.contains { $0.record.end == nil } }

  /// The length of a stall is known to a 32nd, but no nearer than 50 ms, and to a second in any case.
  private func noteInterval(at now: UInt64) -> UInt64 {
    let youngest = open.values.map(\.start).max() ?? now
    return min(max((now - min(now, youngest)) / 32, 50_000_000), 1_000_000_000)
  }

  /// When it wants to be called again though there is no report, ns, monotonic.
  var nextDue: UInt64 { hasOngoing ? min(nextNote, nextSweep) : nextSweep }

  // MARK: order

  /// Finishes what processes that are gone have left, and takes away what is not to be kept, if an hour has passed.
  package func tidy(at now: UInt64) {
    guard now >= nextSweep else { return }
    nextSweep = now + Self.sweepInterval
    do throws(KernelError) { try Recovery(store: store).run() } catch {
      tell(failures.noteFailure("\(error)", of: folder.path))
    }
    sweep()
  }

  private static let sweepInterval: UInt64 = 3_600_000_000_000

  private func sweep() {
    let retention = configuration.retention
    // What cannot be taken away is tried again in an hour.
    if let left = try? Sweep(folder: folder, retention: retention).run(at: .now) { tally = left }
    tallyMax.reportCount = max(retention.reportCountMax, tally.reportCount + tally.reportCount / 10)
    tallyMax.byteCount = max(retention.byteCountMax, tally.byteCount + tally.byteCount / 10)
  }

  /// The monitor ends: no report comes any more.
  package func finish() {
    guard let root = try? folder.openIfThere() else { return }
    // Something could not be written: who comes next finishes it, and is to know that nobody was killed.
    if open.isEmpty { sidecar.remove(from: root) } else { sidecar.noteEnd() }
  }

  private func tell(_ line: String?) { if let line { configuration.onFailure?(line) } }
}
