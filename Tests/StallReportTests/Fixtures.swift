import StallReport

extension Report {
  /// A report with the indispensable parts alone.
  static func bare(kind: Kind = .stall, cost: Cost = Cost()) -> Report {
    Report(
      id: Identifier(high: 1, low: 2), kind: kind, state: .recovered, app: Application(name: "maild"),
      process: Process(pid: 4121),
      loop: Loop(id: 1, name: "main", thread: ThreadName(tid: 4121, name: nil), mode: nil),
      phase: Phase(name: .timer, source: nil),
      time: Time(
        startUnix: UnixTime(nanoseconds: 1_790_086_400_123_000_000),
        start: MonotonicTime(nanoseconds: 5), end: nil, threshold: .milliseconds(250),
        duration: .milliseconds(1712)),
      cost: cost, monitor: Monitor(version: "0.1"))
  }

  /// Adds a sample of these functions, leaf first: names alone, `!` in front of the program's own.
  mutating func addSample(_ names: [String], weight: Duration = .milliseconds(100)) {
    let frames = names.map { Frame.named($0) }
    samples.append(
      Sample(time: .zero, stack: stacks.index(ofStack: frames), weight: weight, state: "R"))
  }
}

extension Report.Frame {
  /// `!f` is the program's own, `~f` the C library's, `@timer` the loop's callout frame, `run` the loop.
  static func named(_ name: String, line: Int? = nil, offset: UInt64? = nil) -> Self {
    let symbol = String(name.drop { "!~@".contains($0) })
    let location = line.map { Report.SourceLocation(file: "Some.swift", line: $0) }
    var frame = Self(offset: offset, symbol: symbol, location: location)
    switch name.first {
    case "!": frame.isInApp = true
    case "~": frame.kind = .libc
    case "@": frame.kind = .phase(Report.PhaseName(rawValue: symbol))
    default: break
    }
    if name == "run" { frame.kind = .loop }
    if name == "main" { (frame.kind, frame.isInApp) = (.threadBase, true) }
    return frame
  }
}
