import LinuxKernel
import StallReport

/// Takes away what an archive is not to keep.
struct Sweep {
  let folder: ArchiveFolder
  let retention: StallMonitor.Configuration.Retention

  /// How many reports there are, and the bytes of their files.
  struct Tally {
    var reportCount = 0
    var byteCount = 0
  }

  /// Takes away what is too old or too much; says what is left.
  func run(at now: Report.UnixTime) throws(KernelError) -> Tally {
    guard let root = try folder.openIfThere() else { return Tally() }
    let listing = try ArchiveListing(of: root)
    let files = listing.filesByStem
    let reports = files.values.map { KeptReport($0) }
    let surplus = retention.surplus(of: reports, at: now)
    for report in surplus { Self.remove(files[report.stem]!, from: root) }
    Self.removeEmptyDays(listing, without: surplus, now, from: root)
    return Tally(
      reportCount: reports.count - surplus.count,
      byteCount: (reports.reduce(0) { $0 + $1.byteCount }) - surplus.reduce(0) { $0 + $1.byteCount })
  }

  /// The text first: it is not to be there alone. What cannot be taken away stays until the next time.
  private static func remove(_ files: [ArchiveListing.File], from root: borrowing OpenFolder) {
    for file in files.sorted(by: { $0.name.form == .text && $1.name.form != .text }) {
      guard let day = try? root.folder(named: file.name.day) else { continue }
      try? day.remove(file.name.named(file.name.form))
    }
  }

  /// Of days that are over. A folder with anything in it stays: the kernel takes none away.
  private static func removeEmptyDays(
    _ listing: ArchiveListing, without surplus: [KeptReport], _ now: Report.UnixTime,
    from root: borrowing OpenFolder
  ) {
    let gone = Set(surplus.map(\.stem))
    let used = Set(listing.files.lazy.filter { !gone.contains($0.name.stem) }.map(\.name.day))
    let today = Day.name(ofStamp: now.compactDescription[...])
    for day in listing.days where day != today && !used.contains(day) { try? root.removeFolder(named: day) }
  }
}
