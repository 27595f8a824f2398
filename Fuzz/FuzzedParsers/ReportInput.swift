import StallReport

/// Numbers and texts, as they come; a report is made of them and shown in every way.
enum ReportInput {
  static func read(_ input: inout InputBytes) {
    show(report(&input))
  }

  /// Shows a report in every way.
  static func show(_ report: Report) {
    for view in Report.View.allCases {
      check(report.text(view: view))
      check(report.text(view: view, style: .init(isColored: false, width: 60)))
    }
    check(report.summary)
    // A format that cannot hold what is in a report leaves it out.
    for format in ExportFormat.allCases {
      precondition(!format.encode([report]).isEmpty || format == .collapsed)
    }
    precondition(!report.json().utf8.contains { $0 < 0x20 && $0 != 0x0A }, "a control character in JSON")
  }

  /// Nothing moves a terminal's cursor, or is taken for a line of its own.
  static func check(_ text: String) {
    for scalar in text.unicodeScalars where scalar != "\n" {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
        preconditionFailure("U+\(String(scalar.value, radix: 16)) is shown")
      default: break
      }
    }
  }

  private static func report(_ input: inout InputBytes) -> Report {
    let duration = duration(&input)
    let tid = number(&input)
    let process = input.text()
    var report = Report(
      id: .init(high: input.word(), low: 2), kind: one(of: Report.Kind.allCases, &input),
      state: one(of: Report.State.allCases, &input), app: .init(name: process), process: .init(pid: tid),
      loop: .init(
        id: number(&input), name: input.text(), kind: one(of: Report.Loop.Kind.allCases, &input),
        thread: .init(tid: tid, name: input.text()), mode: input.text()),
      phase: .init(name: .init(rawValue: input.text())),
      time: .init(
        startUnix: .init(nanoseconds: Int64(bitPattern: input.word())),
        start: .init(nanoseconds: input.word()), end: nil,
        threshold: self.duration(&input), duration: duration),
      cost: .init(), monitor: .init(version: input.text()))
    report.stacks.images = [
      .init(
        name: input.text(), buildID: input.text(), base: input.word(), end: input.word(),
        textOffset: input.word(),
        isInApp: input.byte() & 1 == 0)
    ]
    addStacks(&input, to: &report)
    addWaits(&input, to: &report)
    report.computeFingerprint()
    return report
  }

  private static func addStacks(_ input: inout InputBytes, to report: inout Report) {
    let countMax = 24
    while !input.isAtEnd, report.samples.count < countMax {
      let depth = Int(input.byte() % 12)
      let stack = (0..<depth).map { _ in frame(&input) }
      let index = report.stacks.index(ofStack: stack)
      let state = Character(UnicodeScalar(input.byte()))
      report.samples.append(
        .init(time: duration(&input), stack: index, weight: duration(&input), state: state))
      guard input.byte() & 3 == 0 else { continue }
      var thread = Report.Thread(
        name: .init(tid: number(&input), name: input.text()), isStalled: input.byte() & 1 == 0)
      (thread.stack, thread.state, thread.cpu) = (index, state, duration(&input))
      thread.registers = ["rip": input.word()]
      thread.registers?[input.text()] = input.word()
      thread.waitsOn = .init(kind: input.text(), address: input.word(), owner: number(&input))
      report.threads.append(thread)
    }
  }

  private static func addWaits(_ input: inout InputBytes, to report: inout Report) {
    guard input.byte() & 1 == 0 else { return }
    let threads = report.threads.map(\.name.tid)
    report.waits.cycle = threads
    report.waits.edges = zip(threads, threads.dropFirst()).map {
      .init(waiter: $0, owner: $1, kind: report.threads[0].waitsOn?.kind ?? "")
    }
  }

  private static func frame(_ input: inout InputBytes) -> Report.Frame {
    let kind = input.byte()
    let mangled = input.text()
    let location: Report.SourceLocation? =
      kind & 1 == 0 ? nil : .init(file: input.text(), line: number(&input))
    if kind & 2 == 0 {
      return .init(
        image: 0, offset: input.word(), mangled: mangled, demangled: kind & 4 == 0 ? input.text() : nil,
        location: location, in: [.init(name: "x", buildID: nil, base: 0, end: 1, isInApp: kind & 8 == 0)])
    }
    return .init(
      symbol: mangled, location: location, isInApp: kind & 8 == 0, kind: kind & 16 == 0 ? nil : .phase(.timer)
    )
  }

  private static func number(_ input: inout InputBytes) -> Int { Int(truncatingIfNeeded: input.word()) }

  /// Any that a clock of 64 bits can show, negative ones too.
  private static func duration(_ input: inout InputBytes) -> Duration {
    .nanoseconds(Int64(bitPattern: input.word()))
  }

  private static func one<Value>(of values: [Value], _ input: inout InputBytes) -> Value {
    values[Int(input.byte()) % values.count]
  }
}
