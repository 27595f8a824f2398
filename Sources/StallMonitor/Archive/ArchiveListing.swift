import LinuxKernel

/// What of an archive's folder is the archive's, by the names.
struct ArchiveListing {
  struct File {
    var name: ReportName
    var byteCount: Int
  }

  /// A file that is, or was, being written.
  struct Part {
    var name: String
    var day: String
    var writer: String
  }

  private(set) var days: [String] = []
  private(set) var files: [File] = []
  private(set) var parts: [Part] = []

  init(of root: borrowing OpenFolder) throws(KernelError) {
    // Not inside of the closures: they are not to escape with `self`.
    var (days, files, parts): ([String], [File], [Part]) = ([], [], [])
    try DayFolders.forEach(in: root) { day, folder throws(KernelError) in
      days.append(day)
      try folder.forEachName { name in
        if let report = ReportName(name), report.day == day, let byteCount = folder.byteCount(of: name) {
          files.append(File(name: report, byteCount: byteCount))
        } else if let part = PartName.parse(name), part.report.day == day {
          parts.append(Part(name: name, day: day, writer: part.writer))
        }
      }
    }
    (self.days, self.files, self.parts) = (days, files, parts)
  }

  /// The files of each report together.
  var filesByStem: [Substring: [File]] { Dictionary(grouping: files, by: \.name.stem) }
}

extension KeptReport {
  /// Of all files of one report.
  init(_ files: [ArchiveListing.File]) {
    let forms = Set(files.map(\.name.form))
    // The last state knows best which issue it is; a text alone knows as much as any.
    let best = files.max { Self.trust($0.name.form) < Self.trust($1.name.form) }!
    self.init(
      stem: best.name.stem, issue: best.name.issue, byteCount: files.reduce(0) { $0 + $1.byteCount },
      isDone: !forms.contains(.closed) && !forms.contains(.ongoing),
      isOngoing: forms.contains(.ongoing) && !forms.contains { $0.isClosed })
  }

  private static func trust(_ form: ReportName.Form) -> Int {
    form.isClosed ? 2 : form == .ongoing ? 1 : 0
  }
}
