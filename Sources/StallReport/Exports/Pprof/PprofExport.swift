/// A profile of `pprof`'s: the time of each stack, and how many samples had it, of all reports together. Labels tell the
/// reports' circumstances apart.
struct PprofExport {
  struct Sample: Hashable {
    /// Numbers of locations, the leaf first.
    var locations: [UInt64]
    /// Strings: name and value by turns.
    var labels: [UInt64]
  }

  private(set) var tables = PprofTables()
  private(set) var samples: [Sample] = []
  private var indexOfSample: [Sample: Int] = [:]
  private(set) var values: [(count: Int64, time: Duration)] = []
  private(set) var comments: [String] = []
  private(set) var start: Report.UnixTime?
  private(set) var length = Duration.zero

  init(_ reports: [Report]) {
    for report in reports { add(report) }
  }

  private mutating func add(_ report: Report) {
    comments.append("\(CivilTime(report.time.startUnix).description) \(report.headline.exported)")
    start = min(start ?? report.time.startUnix, report.time.startUnix)
    length += report.time.duration.believable
    // Readers take the first mapping for the program.
    if let program = report.program { _ = tables.id(of: program) }
    let labels = labels(of: report)
    for stretch in report.stalledProfile.stretches {
      let sample = Sample(locations: locations(of: stretch.frames, in: report), labels: labels)
      if indexOfSample[sample] == nil {
        samples.append(sample)
        values.append((0, .zero))
        indexOfSample[sample] = samples.count - 1
      }
      guard let index = indexOfSample[sample] else { continue }
      values[index].count += stretch.sample == nil ? 0 : 1
      values[index].time += stretch.length
    }
  }

  private mutating func labels(of report: Report) -> [UInt64] {
    let issue = report.fingerprint ?? Report.Fingerprint(of: report)
    let labels: [(String, String?)] = [
      ("app", report.app.name), ("version", report.app.version), ("host", report.host.name),
      ("loop", report.loop.name), ("phase", report.phase.name.rawValue), ("kind", report.kind.rawValue),
      ("class", report.cost.verdict?.rawValue), ("thread", report.loop.thread.name),
      ("issue", issue.level1), ("culprit", report.culpritName),
    ]
    return labels.flatMap { name, value in
      value.map { [tables.index(of: name), tables.index(of: $0.exported)] } ?? []
    }
  }

  private mutating func locations(of frames: [Int], in report: Report) -> [UInt64] {
    if frames.isEmpty {
      let mapping = tables.idOfNowhere()
      return [id(mapping: mapping, address: 0, lines: [line(Report.noStack)])]
    }
    return report.instructions(ofFrames: frames).reversed().map { piece in
      let outer = piece[piece.startIndex]
      let lines = piece.reversed().map { line(ofFrame: $0, in: report) }
      guard let image = report.image(ofFrame: outer) else {
        return id(mapping: tables.idOfNowhere(), address: 0, lines: lines)
      }
      let mapping = tables.id(of: image)
      if report.stacks.frames[outer].symbol == nil { tables.noteNameless(inMapping: mapping) }
      // Where the image lay first, not where it lay in this process.
      let offset = report.stacks.frames[outer].offset ?? 0
      return id(mapping: mapping, address: tables.mappings[Int(mapping) - 1].start &+ offset, lines: lines)
    }
  }

  private mutating func id(mapping: UInt64, address: UInt64, lines: [PprofTables.Line]) -> UInt64 {
    tables.id(of: .init(mapping: mapping, address: address, lines: lines))
  }

  private mutating func line(_ name: String) -> PprofTables.Line {
    let index = tables.index(of: name)
    return .init(function: tables.id(of: .init(name: index, systemName: index, file: 0)), line: 0)
  }

  private mutating func line(ofFrame index: Int, in report: Report) -> PprofTables.Line {
    let frame = report.stacks.frames[index]
    let name = report.exportedName(ofFrame: index)
    let function = PprofTables.Function(
      name: tables.index(of: name), systemName: tables.index(of: frame.mangled?.exported ?? name),
      file: tables.index(of: frame.location?.file.exported ?? ""))
    return .init(function: tables.id(of: function), line: Int64(frame.location?.line ?? 0))
  }
}

extension Report {
  /// The image of the executable, as far as it can be told.
  fileprivate var program: Image? {
    stacks.images.first { app.buildID != nil && $0.buildID == app.buildID }
      ?? stacks.images.first(where: \.isInApp)
  }
}
