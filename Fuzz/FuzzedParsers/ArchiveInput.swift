import StallMonitor

/// A sidecar of whomever, and a name in an archive's folder.
enum ArchiveInput {
  static func read(_ bytes: [UInt8]) {
    let records = SidecarRecords(bytes)
    let written = SidecarRecords.header(hasEnded: records.hasEnded) + SidecarRecords.body(records.stalls)
    let again = SidecarRecords(written)
    precondition(again.stalls == records.stalls, "what is written differs from what was read")
    precondition(!again.isDamaged, "what is written cannot be read")

    let name = String(decoding: bytes, as: UTF8.self)
    if let report = ReportName(name) {
      precondition(report.named(report.form) == name, "a name differs from what was read of it")
    }
    _ = PartName.parse(name)
  }
}
