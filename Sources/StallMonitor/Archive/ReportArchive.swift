package import LinuxKernel
import Gzip

/// The reports that a monitor keeps, as a ``ReportDelivery`` sees them. Any thread; the folder may be others' as well.
public struct ReportArchive: Sendable {
  private let folder: ArchiveFolder
  private let urgent: UrgentReports

  init(_ folder: ArchiveFolder, urgent: UrgentReports) {
    self.folder = folder
    self.urgent = urgent
  }

  /// Where it is.
  package var path: String { folder.path }

  /// What can be sent, oldest first: the last states that nobody has sent yet, of any process, and the reports of this
  /// monitor's whose stalls go on and have reached the last of the severe thresholds.
  ///
  /// - Complexity: O(*n* log *n*) in the names of the folder.
  package func pending() throws(KernelError) -> [ArchivedReport] {
    guard let root = try folder.openIfThere() else { return [] }
    var found: [ArchivedReport] = []
    try DayFolders.forEach(in: root) { day, folder throws(KernelError) in
      try folder.forEachName { name in
        guard let parsed = ReportName(name), parsed.day == day,
          parsed.form == .closed || parsed.form == .ongoing && urgent.contains(name),
          let byteCount = folder.byteCount(of: name)
        else { return }
        found.append(
          ArchivedReport(
            idPrefix: String(parsed.idPrefix), day: day, name: name, byteCount: byteCount,
            isOngoing: parsed.form == .ongoing))
      }
    }
    return found.sorted { $0.name < $1.name }
  }

  /// A report's bytes in gzip's format: one line of JSON with its line feed, so that those of several can be put one after
  /// the other.
  ///
  /// - Parameter limit: a file of more bytes is refused as too large (EFBIG).
  /// - Throws: ENOENT of one that has got another name since, or was taken away.
  package func read(_ report: ArchivedReport, limit: Int) throws(KernelError) -> [UInt8] {
    let day = try folder.open().folder(named: report.day)
    let bytes = try day.file(named: report.name).contents(limit: limit)
    return report.isOngoing ? try Self.compress(bytes) : bytes
  }

  static func compress(_ bytes: [UInt8]) throws(KernelError) -> [UInt8] {
    do throws(Gzip.Failure) { return try Gzip.compress(bytes) } catch { throw .noMemory }
  }

  /// A server has it. Of a stall that goes on, this state: its end is still to be sent.
  package func markSent(_ report: ArchivedReport) throws(KernelError) { try mark(report, as: .sent) }

  /// A server will never take it: it is kept for people, and not offered again.
  package func markRefused(_ report: ArchivedReport) throws(KernelError) { try mark(report, as: .refused) }

  private func mark(_ report: ArchivedReport, as form: ReportName.Form) throws(KernelError) {
    guard !report.isOngoing else { return urgent.remove(report.name) }
    guard let name = ReportName(report.name) else { throw .invalidArgument }
    do throws(KernelError) {
      let day = try folder.open().folder(named: report.day)
      try day.rename(report.name, to: name.named(form))
      try day.synchronize()
    } catch {
      // Another process has marked it, or it has become too old.
      guard error == .notThere else { throw error }
    }
  }
}

/// The names of reports whose stalls go on and may be the last that is heard of the process.
final class UrgentReports: Sendable {
  private let names = Locked<Set<String>>([])

  func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
  func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
  func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}
