import LinuxKernel
import StallReport

/// Puts reports into the folders of their days.
struct ReportStore: Sendable {
  let folder: ArchiveFolder
  /// Whether people get a file, too.
  let writesText: Bool
  /// Whom unfinished files are known to be of.
  let writer: String

  /// Writes a state of a report; when it returns, it is on the disk. The state before is taken away, where it has another
  /// name.
  ///
  /// - Parameters:
  ///   - isLast: whether no further state comes.
  ///   - former: the name of the state before, if there was one.
  /// - Returns: the name, and how many bytes the report takes.
  func put(
    _ report: Report, named given: ReportName? = nil, isLast: Bool, over former: ReportName?
  ) throws(KernelError) -> (name: ReportName, byteCount: Int) {
    // As long as it goes on it keeps the issue that it began with: at each moment one file is the latest state.
    var name = given ?? (isLast ? nil : former) ?? ReportName(report, .ongoing)
    name.form = isLast ? .closed : .ongoing
    let line = Array((report.json(layout: .compact) + "\n").utf8)
    let bytes = isLast ? try ReportArchive.compress(line) : line
    let text = writesText ? Array(report.text(style: .plain).utf8) : nil
    do throws(KernelError) {
      try write(bytes, text, name, isFirst: former == nil)
    } catch {
      // Somebody has taken the folder away, or its day since it was found.
      guard error == .notThere else { throw error }
      try write(bytes, text, name, isFirst: true)
    }
    if let former { removeFormer(former, now: name) }
    return (name, bytes.count + (text?.count ?? 0))
  }

  /// A later state's text first: killed in between, the process leaves one that is finished again. The first state's last:
  /// it leaves none without a report.
  private func write(
    _ bytes: [UInt8], _ text: [UInt8]?, _ name: ReportName, isFirst: Bool
  ) throws(KernelError) {
    let root = try folder.open()
    if try root.makeFolder(named: name.day) { try root.synchronize() }
    let day = try root.folder(named: name.day)
    if let text, !isFirst { try WholeFile.put(text, as: name.named(.text), in: day, writer: writer) }
    try WholeFile.put(bytes, as: name.named(name.form), in: day, writer: writer)
    if let text, isFirst { try WholeFile.put(text, as: name.named(.text), in: day, writer: writer) }
    try day.synchronize()
  }

  /// Not a failure if it cannot be done: who finds both knows that the last state is the one to believe.
  private func removeFormer(_ former: ReportName, now name: ReportName) {
    guard let root = try? folder.openIfThere(), let day = try? root.folder(named: former.day) else { return }
    guard name.form != .ongoing else { return }
    // The text first: as long as the other is there, somebody will look after both.
    if former.base != name.base { try? day.remove(former.named(.text)) }
    try? day.remove(former.named(.ongoing))
  }
}
