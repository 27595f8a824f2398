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
    var name = given ?? ReportName(report, .ongoing)
    name.form = isLast ? .closed : .ongoing
    let line = Array((report.json(layout: .compact) + "\n").utf8)
    let bytes = isLast ? try ReportArchive.compress(line) : line
    let text = writesText ? Array(report.text(style: .plain).utf8) : nil
    do throws(KernelError) {
      try write(bytes, text, name)
    } catch {
      // Somebody has taken the folder away, or its day since it was found.
      guard error == .notThere else { throw error }
      try write(bytes, text, name)
    }
    if let former { removeFormer(former, now: name) }
    return (name, bytes.count + (text?.count ?? 0))
  }

  private func write(_ bytes: [UInt8], _ text: [UInt8]?, _ name: ReportName) throws(KernelError) {
    let root = try folder.open()
    if try root.makeFolder(named: name.day) { try root.synchronize() }
    let day = try root.folder(named: name.day)
    try WholeFile.put(bytes, as: name.named(name.form), in: day, writer: writer)
    if let text { try WholeFile.put(text, as: name.named(.text), in: day, writer: writer) }
    try day.synchronize()
  }

  /// Not a failure if it cannot be done: who finds both knows that the last state is the one to believe.
  private func removeFormer(_ former: ReportName, now name: ReportName) {
    guard let root = try? folder.openIfThere(), let day = try? root.folder(named: former.day) else { return }
    if name.form != .ongoing || former.base != name.base { try? day.remove(former.named(.ongoing)) }
    if former.base != name.base { try? day.remove(former.named(.text)) }
  }
}
