/// A report in the layout of Apple's crash reports, version 104, as PLCrashReporter and `symbolicatecrash` know it.
///
/// What that layout has no line for — the state of a thread, what it waits for — has a line of its own before the
/// thread's frames.
struct AppleLayout {
  /// The version of the layout, not of the report.
  private static let version = 104
  /// The first two labels are longer than the others.
  private static let labelWidths = ["Incident Identifier": 21, "CrashReporter Key": 21]

  let report: Report
  let style: Report.Style
  /// The images by name, so that the threads' columns agree.
  let imageWidth: Int

  init(_ report: Report, style: Report.Style) {
    self.report = report
    self.style = style
    let names = report.stacks.frames.map { report.stacks.imageName(of: $0)?.printable.count ?? 0 }
    // 35 is what the layout has; on a narrow screen names of functions are worth more.
    let most = style.width >= 100 ? 35 : style.width >= 80 ? 20 : 12
    imageWidth = min(most, max(20, names.max() ?? 0))
  }

  func text() -> [String] {
    let parts: [[String]] = [
      identity, circumstances, event, threadSections, registers, images,
    ]
    return parts.filter { !$0.isEmpty }.map { $0.map(\.withoutTrailingSpaces) }
      .joined(separator: [""]).map { $0 }
  }

  // MARK: the head

  private func line(_ label: String, _ value: String?) -> String? {
    value.map { value in
      let width = Self.labelWidths[label] ?? 17
      let label = style.paint((label + ":").aligned(left: width), .label)
      return label + value.printable.elided(to: style.width - width)
    }
  }

  private var identity: [String] {
    let app = report.app

    let version = [app.version, app.build.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
    return [
      line("Incident Identifier", incident), line("CrashReporter Key", report.host.id),
      line("Hardware Model", report.device.model ?? report.host.arch),
      line("Process", "\(app.name) [\(report.process.pid)]"), line("Path", path),
      line("Identifier", app.name), line("Version", version.isEmpty ? nil : version),
      line("Code Type", codeType), line("Parent Process", report.process.parent.map { "??? [\($0)]" }),
    ].compactMap(\.self)
  }

  /// The executable, where the report has its image.
  private var path: String? {
    report.stacks.images.first { image in
      guard image.isInApp else { return false }
      if let known = report.app.buildID, let own = image.buildID { return known == own }
      return image.name.split(separator: "/").last.map(String.init) == report.app.name
    }?.name
  }

  /// In five groups, as identifiers of incidents have it.
  private var incident: String {
    let digits = "\(report.id)".uppercased()
    var (groups, rest) = ([Substring](), digits[...])
    for count in [8, 4, 4, 4, 12] {
      groups.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return groups.joined(separator: "-")
  }

  var codeType: String? {
    switch report.host.arch {
    case "x86_64": "X86-64"
    case "aarch64": "ARM-64"
    case let other: other?.printable
    }
  }

  private var circumstances: [String] {
    let (host, time) = (report.host, report.time)
    let system = [host.os, host.kernel.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
    return [
      line("Date/Time", CivilTime(time.startUnix).spacedDescription),
      line("End time", time.endUnix.map { CivilTime($0).spacedDescription }),
      line("OS Version", system.isEmpty ? nil : system), line("Report Version", "\(Self.version)"),
    ].compactMap(\.self)
  }

  /// What a crash report says of the exception.
  private var event: [String] {
    let stalled = threads.firstIndex(where: \.isStalled)
    // When and in which process stands above.
    let facts = report.facts.filter { !["when", "process"].contains($0.label) }
    let indent = 9
    let words = facts.flatMap { label, fact in
      fact.wrapped(to: style.width - indent).enumerated().map { index, line in
        (index == 0 ? label : "").aligned(left: indent) + line
      }
    }
    let lines = report.headline.wrapped(to: style.width) + words
    return [
      line("Event", "\(report.kind.rawValue), \(report.state.rawValue)"),
      line("Duration", report.time.duration.spanText), line("Stalled Thread", stalled.map(String.init)),
    ].compactMap(\.self) + ["", style.paint("Application Specific Information:", .label)] + lines
  }

  /// The threads; the stalled one is there even if nothing is known of any.
  var threads: [Report.Thread] {
    report.threads.contains(where: \.isStalled)
      ? report.threads : [Report.Thread(name: report.loop.thread, isStalled: true)] + report.threads
  }
}
