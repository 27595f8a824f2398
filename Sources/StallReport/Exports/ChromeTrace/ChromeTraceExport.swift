/// A trace of Chromium's kind: each report a process, each thread of it a track, on which the stall lies, the calls that
/// were sampled beneath it, and the passes before it.
///
/// Neither viewer knows samples in this format; calls are drawn as if they had been traced.
struct ChromeTraceExport {
  var events: [TraceEvent] = []
  let timeline: ExportTimeline
  private var arrows = 0

  init(_ reports: [Report]) {
    timeline = ExportTimeline(reports)
    for (index, report) in reports.enumerated() { add(report, process: index + 1) }
  }

  func encoded() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("traceEvents") { json in json.array(of: events) { $1.write(to: &$0) } }
      json.member("displayTimeUnit", "ms")
    }
    return json.bytes
  }

  private mutating func add(_ report: Report, process: Int) {
    let profiles = report.profiles
    addNames(of: report, profiles, process)
    addPasses(of: report, process, thread: profiles[0].name.tid)
    addStall(report, profiles[0], process)
    addSamples(profiles[0], process)
    for profile in profiles.dropFirst() { addLook(profile, report, process) }
    addNotes(of: report, process, thread: profiles[0].name.tid)
    arrows = addWaits(of: report, profiles, process, arrows: arrows)
  }

  private mutating func addNames(of report: Report, _ profiles: [ThreadProfile], _ process: Int) {
    func name(_ what: String, _ thread: Int, _ argument: (String, TraceEvent.Argument?)) {
      events.append(
        TraceEvent(
          phase: .metadata, name: what, process: process, thread: thread, arguments: [argument]))
    }
    let stalled = profiles[0].name.tid
    let start = CivilTime(report.time.startUnix).description
    name("process_name", stalled, ("name", .text("\(report.app.name) [\(report.process.pid)] \(start)")))
    name("process_labels", stalled, ("labels", .text(report.issueTitle)))
    name("process_sort_index", stalled, ("sort_index", .number(process)))
    for (index, profile) in profiles.enumerated() {
      let mark = profile.isStalled ? ", stalled" : ""
      name("thread_name", profile.name.tid, ("name", .text(Report.exportedName(of: profile.name) + mark)))
      name("thread_sort_index", profile.name.tid, ("sort_index", .number(index)))
    }
  }

  private mutating func addStall(_ report: Report, _ profile: ThreadProfile, _ process: Int) {
    let length = max(profile.length, report.time.duration.believable)
    events.append(
      TraceEvent(
        phase: .complete, name: "\(report.kind.rawValue): \(report.issueTitle)", process: process,
        thread: profile.name.tid, time: timeline.place(.zero), end: timeline.place(length),
        color: report.cost.verdict == .blocked ? "bad" : "terrible", arguments: report.traceArguments))
    addCalls(FlameChart(profile, in: report), report, process, thread: profile.name.tid)
    let counters: [(String, [(String, TraceEvent.Argument?)])] = [
      (
        "time of the stall, ms",
        [
          ("cpu", report.cost.cpu.map { .time($0) }), ("runnable", report.cost.runnable.map { .time($0) }),
          ("off cpu", report.cost.offCPU.map { .time($0) }),
        ]
      ),
      (
        "pressure, %",
        [
          ("cpu", report.cost.cpuPressure.map { .decimal($0) }),
          ("io", report.cost.ioPressure.map { .decimal($0) }),
          ("memory", report.cost.memoryPressure.map { .decimal($0) }),
        ]
      ),
    ]
    for (name, values) in counters where values.contains(where: { $0.1 != nil }) {
      events.append(
        TraceEvent(
          phase: .counter, name: name, process: process, thread: profile.name.tid,
          time: timeline.place(.zero), arguments: values))
    }
  }

  mutating func addCalls(_ chart: FlameChart, _ report: Report, _ process: Int, thread: Int) {
    let culprit = report.culpritName
    for call in chart.calls {
      let isCulprit = call.name == culprit
      let frame = report.stacks.frames[call.frame]
      events.append(
        TraceEvent(
          phase: .complete, name: call.name, category: frame.isInApp ? "app" : "library", process: process,
          thread: thread, time: timeline.place(call.start), end: timeline.place(call.end),
          color: isCulprit ? "terrible" : nil,
          arguments: [
            ("culprit", isCulprit ? .yes : nil), ("at", frame.location.map { .text($0.description) }),
            ("inlined", frame.inlinedInto.map { _ in .yes }),
            ("image", report.stacks.imageName(of: frame).map { .text($0) }),
            ("build_id", report.image(ofFrame: call.frame)?.buildID.map { .text($0) }),
            ("offset", frame.offset.map { .text(Hexadecimal.address($0)) }),
          ]))
    }
  }

  private mutating func addSamples(_ profile: ThreadProfile, _ process: Int) {
    for stretch in profile.stretches {
      guard let sample = stretch.sample else { continue }
      events.append(
        TraceEvent(
          phase: .instant, name: "sample", category: "sample", process: process, thread: profile.name.tid,
          time: timeline.place(sample.time),
          arguments: [
            ("state", sample.state.map { .text(String($0)) }), ("how", .text(sample.method.rawValue)),
            ("weight_ms", .time(stretch.length)), ("cost_ms", sample.cost.map { .time($0) }),
          ]))
    }
  }
}
