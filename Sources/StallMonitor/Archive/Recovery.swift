import LinuxKernel
import StallReport

/// Finishes the reports of processes that are gone: their stalls went on when they were written last, and nobody else will
/// say how they ended.
///
/// Any number of processes may do it at once, in the same folder, and be killed while they do: a report is written anew
/// under the same name, and what told of it is taken away after that. Done twice is the same as done once.
struct Recovery {
  let store: ReportStore

  /// - Throws: the first error; the other reports are finished all the same.
  func run() throws(KernelError) {
    guard let root = try store.folder.openIfThere() else { return }
    // In this order: a report that goes on has been in its process's sidecar before it was written.
    let listing = try ArchiveListing(of: root)
    let sidecars = try FoundSidecar.all(in: root)
    let failure = finish(listing, sidecars, in: root)
    removeParts(of: listing, sidecars, in: root)
    if let failure { throw failure }
    for sidecar in sidecars { sidecar.remove(from: root) }
  }

  private func finish(
    _ listing: ArchiveListing, _ sidecars: [FoundSidecar], in root: borrowing OpenFolder
  ) -> KernelError? {
    let alive = sidecars.filter { $0.owner != .gone }
    let ongoing = Set(alive.flatMap(\.records.stalls).map(\.stem))
    let files = listing.filesByStem
    let endings = Self.endings(sidecars)
    var failure: KernelError?
    for file in listing.files where file.name.form == .ongoing && !ongoing.contains(file.name.stem) {
      let stem = file.name.stem
      // Of nobody that is known: not touched while there is anybody of whom not everything is known.
      guard endings[stem] != nil || alive.allSatisfy(\.isComplete) else { continue }
      do throws(KernelError) {
        let day = try root.folder(named: file.name.day)
        let closed = files[stem]!.first { $0.name.form.isClosed }
        for text in files[stem]! where text.name.form == .text && text.name.base != (closed ?? file).name.base
        {
          try day.remove(text.name.named(.text))
        }
        if closed != nil {
          try day.remove(file.name.named(.ongoing))
        } else {
          try close(file.name, endings[stem], in: day)
        }
      } catch {
        // Its process, or another that does the same, was quicker.
        if error != .notThere { failure = failure ?? error }
      }
    }
    return failure
  }

  private static func endings(_ sidecars: [FoundSidecar]) -> [Substring: StallEnding] {
    var endings: [Substring: StallEnding] = [:]
    for sidecar in sidecars where sidecar.owner == .gone {
      for stall in sidecar.records.stalls {
        endings[stall.stem] = StallEnding(stall, hasEnded: sidecar.records.hasEnded)
      }
    }
    return endings
  }

  private func close(
    _ name: ReportName, _ ending: StallEnding?, in day: borrowing OpenFolder
  ) throws(KernelError) {
    let bytes = try day.file(named: name.named(.ongoing)).contents(limit: Self.byteCountMax)
    // What has our name and is no report of ours is left alone.
    guard var report = try? Report(json: bytes), "\(report.id)".hasPrefix(name.idPrefix),
      ending?.id == nil || ending?.id == report.id
    else { return }
    report.end(by: ending ?? .unknown)
    _ = try store.put(report, named: name, isLast: true, over: name)
  }

  /// Sixteen times what a report is to be at most.
  private static let byteCountMax = 16 << 20

  /// What was being written when its process died.
  private func removeParts(
    of listing: ArchiveListing, _ sidecars: [FoundSidecar], in root: borrowing OpenFolder
  ) {
    let alive = Set(sidecars.filter { $0.owner != .gone }.map(\.token))
    for part in listing.parts where !alive.contains(part.writer) && part.writer != store.writer {
      guard let day = try? root.folder(named: part.day) else { continue }
      try? day.remove(part.name)
    }
  }
}
