import LinuxKernel

/// A loop in a trace: makes what lies within what from the order of its steps.
final class TraceTrack {
  let recorder: TraceRecorder
  var process: CInt = 0
  /// The number of the track; 0 while nothing has come.
  var thread: CInt = 0
  /// Its last steps were taken.
  var isOver = false

  private var open: [Slice] = []
  /// How many of the file's slices have no end in it.
  private var openInFile = 0
  /// How many the next step has to end first, because of what could not be written.
  private var owedEnds = 0
  private var last: TraceStep?
  /// Steps that were taken and could not be written.
  private var unwritten = 0
  private var takenSinceFlush = 0
  /// How many lost steps the trace tells of, and how many the file does.
  private var told = 0
  private var toldInFile = 0
  /// Whether the trace, and the file, have the track's name.
  var isNamed = false
  private var isNamedInFile = false

  private struct Slice {
    let kind: Kind
    let depth: UInt32
    /// Of a callout.
    var site = CallSite.unknown
    /// Of a run: the number of the pass that it came to last.
    var pass: UInt64 = 0

    enum Kind: Equatable { case run, pass, sleep, callout(Phase) }

    var category: String {
      switch kind {
      case .run: "run"
      case .pass: "pass"
      case .sleep: "sleep"
      case .callout: "callout"
      }
    }
  }

  init(_ recorder: TraceRecorder) { self.recorder = recorder }

  var lostCount: Int { Int(clamping: recorder.lostCount) + unwritten }

  /// What was handed out until now is in the file.
  func noteWritten() {
    openInFile = open.count
    toldInFile = told
    isNamedInFile = isNamed
    takenSinceFlush = 0
  }

  /// It is not, and is lost.
  func noteNotWritten() {
    unwritten += takenSinceFlush
    takenSinceFlush = 0
    owedEnds = openInFile
    told = toldInFile
    isNamed = isNamedInFile
    open = []
  }

  /// When its last step was; 0 before the first.
  var lastTime: UInt64 { last?.time ?? 0 }

  // MARK: steps

  func accept(_ step: TraceStep, to json: inout TraceJSON) {
    takenSinceFlush += 1
    noteLoss(before: step, to: &json)
    while let slice = open.last, slice.depth > step.depth { close(at: step.time, to: &json) }
    if step.kind == .ended {
      finish(at: step.time, to: &json)
    } else {
      openRuns(to: step, &json)
      openPass(of: step, to: &json)
      show(step, to: &json)
    }
    last = step
  }

  /// Nothing more comes: tells what was lost at the end.
  func finish(to json: inout TraceJSON) {
    guard let last else { return }
    payOwedEnds(at: last.time, to: &json)
    tellLoss(recorder.lostCount, at: last.time, to: &json)
    finish(at: last.time, to: &json)
  }

  private func finish(at time: UInt64, to json: inout TraceJSON) {
    while !open.isEmpty { close(at: time, to: &json) }
  }

  /// What happened between is not known: everything ends where the last step was, and begins anew.
  private func noteLoss(before step: TraceStep, to json: inout TraceJSON) {
    let time = last?.time ?? step.time
    payOwedEnds(at: time, to: &json)
    tellLoss(step.lost, at: time, to: &json)
  }

  private func payOwedEnds(at time: UInt64, to json: inout TraceJSON) {
    for _ in 0..<owedEnds { writeEnd(at: time, to: &json) }
    if owedEnds > 0 { last?.depth = .max }
    owedEnds = 0
  }

  private func tellLoss(_ lost: UInt64, at time: UInt64, to json: inout TraceJSON) {
    let missed = Int(clamping: lost) + unwritten - told
    guard missed > 0 else { return }
    told += missed
    finish(at: time, to: &json)
    last?.depth = .max
    json.begin("i", "\(missed) steps lost", process: process, thread: thread)
    json.member("s", "t")
    json.member("ts", microseconds: time)
    json.arguments([("lost steps", .number(missed))])
    json.end()
  }

  // MARK: what lies within what

  private var runDepth: UInt32 { open.last { $0.kind == .run }?.depth ?? 0 }

  private func openRuns(to step: TraceStep, _ json: inout TraceJSON) {
    let depth = runDepth
    if depth == step.depth {
      // A nested run has ended: its passes are none of the run around.
      if let last, last.depth != step.depth { setPass(step.pass) }
      return
    }
    // Where it is not known what was before, one is in the midst of a pass.
    let isKnown = last.map { $0.depth == depth && depth + 1 == step.depth } ?? false
    let isBetweenPasses = step.phase == .entry || step.phase == .exit
    let before = isKnown ? last?.pass ?? 0 : isBetweenPasses ? step.pass : step.pass &- 1
    for depth in depth + 1...step.depth {
      var arguments: [(String, TraceJSON.Value)] = [("nesting", .number(Int(depth)))]
      if depth == step.depth, step.mode > 0 {
        arguments.append(("mode", .text(ModeNames.name(of: step.mode - 1))))
      }
      let mode = depth == step.depth && step.mode > 0 ? " in " + ModeNames.name(of: step.mode - 1) : ""
      begin(Slice(kind: .run, depth: depth, pass: before), "run\(mode)", arguments, at: step.time, to: &json)
    }
  }

  private func setPass(_ pass: UInt64) {
    if let index = open.lastIndex(where: { $0.kind == .run }) { open[index].pass = pass }
  }

  private func openPass(of step: TraceStep, to json: inout TraceJSON) {
    guard let index = open.lastIndex(where: { $0.kind == .run }), open[index].pass != step.pass else {
      return
    }
    while open.count > index + 1 { close(at: step.time, to: &json) }
    open[index].pass = step.pass
    begin(
      Slice(kind: .pass, depth: step.depth), "pass", [("number", .number(Int(clamping: step.pass)))],
      at: step.time, to: &json)
  }

  private func show(_ step: TraceStep, to json: inout TraceJSON) {
    if step.phase == .exit { leavePass(at: step.time, to: &json) }
    switch step.phase {
    case .outside, .betweenCallouts: leaveCallouts(at: step.time, to: &json)
    case .waiting:
      leaveCallouts(at: step.time, to: &json)
      begin(Slice(kind: .sleep, depth: step.depth), "sleep", [], at: step.time, to: &json)
    default: showCallout(step, to: &json)
    }
  }

  private func showCallout(_ step: TraceStep, to json: inout TraceJSON) {
    let isSame = { (slice: Slice) in
      slice.kind == .callout(step.phase) && slice.depth == step.depth && slice.site == step.site
    }
    // Back from what it called.
    if step.kind == .shown, let index = open.lastIndex(where: isSame) {
      while open.count > index + 1 { close(at: step.time, to: &json) }
      return
    }
    // A source that is told that it comes or goes is told within the callout that moves it.
    if step.phase != .sourceRegistration { leaveCallouts(at: step.time, to: &json) }
    // Observers are told of one by one.
    if step.kind == .shown, step.phase.isActivity { return }
    begin(
      Slice(kind: .callout(step.phase), depth: step.depth, site: step.site),
      "\(step.phase.name) \(step.site)", [("made at", .text(step.site.description))], at: step.time, to: &json
    )
  }

  private func leaveCallouts(at time: UInt64, to json: inout TraceJSON) {
    while let slice = open.last, slice.kind != .run, slice.kind != .pass { close(at: time, to: &json) }
  }

  private func leavePass(at time: UInt64, to json: inout TraceJSON) {
    leaveCallouts(at: time, to: &json)
    if open.last?.kind == .pass { close(at: time, to: &json) }
  }

  // MARK: events

  private func begin(
    _ slice: Slice, _ name: String, _ arguments: [(String, TraceJSON.Value)], at time: UInt64,
    to json: inout TraceJSON
  ) {
    open.append(slice)
    json.begin("B", name, process: process, thread: thread)
    json.member("cat", slice.category)
    json.member("ts", microseconds: time)
    if !arguments.isEmpty { json.arguments(arguments) }
    json.end()
  }

  private func close(at time: UInt64, to json: inout TraceJSON) {
    open.removeLast()
    writeEnd(at: time, to: &json)
  }

  private func writeEnd(at time: UInt64, to json: inout TraceJSON) {
    json.begin("E", "", process: process, thread: thread)
    json.member("ts", microseconds: time)
    json.end()
  }
}
