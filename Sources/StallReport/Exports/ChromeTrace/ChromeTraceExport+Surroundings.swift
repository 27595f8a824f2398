extension ChromeTraceExport {
  /// Of when in the stall the look was nothing is known: it is drawn over all of it.
  mutating func addLook(_ profile: ThreadProfile, _ report: Report, _ process: Int) {
    let length = report.time.duration.believable
    events.append(
      TraceEvent(
        phase: .complete, name: "one look", category: "look", process: process, thread: profile.name.tid,
        time: timeline.place(.zero), end: timeline.place(length),
        arguments: [
          ("state", profile.thread?.state.map { .text(String($0)) }),
          ("cpu_ms", profile.thread?.cpu.map { .time($0) }),
          (
            "waits",
            profile.thread?.waitsOn.map {
              .text("for " + report.targetText(waiter: profile.name.tid, holder: $0.owner))
            }
          ),
        ]))
    var drawn = profile
    for index in drawn.stretches.indices { drawn.stretches[index].length = length }
    addCalls(FlameChart(drawn, in: report), report, process, thread: profile.name.tid)
  }

  /// The passes before, each clipped by the next: they are rounded, and must not overlap.
  mutating func addPasses(of report: Report, _ process: Int, thread: Int) {
    let passes = report.passes.before.sorted { $0.time < $1.time }
    let borders = passes.dropFirst().map(\.time) + [.zero]
    for (pass, border) in zip(passes, borders) where pass.time < .zero {
      let end = min(pass.time.believableEitherWay + pass.duration.believable, border)
      events.append(
        TraceEvent(
          phase: .complete, name: "pass: \(pass.phase?.rawValue.exported ?? "?")", category: "pass",
          process: process, thread: thread, time: timeline.place(pass.time), end: timeline.place(end),
          arguments: [("items", pass.items.map { .number($0) }), ("cpu_ms", pass.cpu.map { .time($0) })]))
    }
  }

  mutating func addNotes(of report: Report, _ process: Int, thread: Int) {
    for note in report.breadcrumbs {
      events.append(
        TraceEvent(
          phase: .instant, name: note.message.exported, category: "breadcrumb", process: process,
          thread: thread, time: timeline.place(note.time),
          arguments: [("category", .text(note.category))]))
    }
  }

  /// An arrow from each thread that waits to the one it waits for, if both have a track. Returns how many arrows there are
  /// then: each needs a number of its own.
  mutating func addWaits(
    of report: Report, _ profiles: [ThreadProfile], _ process: Int, arrows: Int
  ) -> Int {
    var arrows = arrows
    let tracks = Set(profiles.map(\.name.tid))
    for edge in report.waits.edges where tracks.contains(edge.waiter) && tracks.contains(edge.owner) {
      arrows += 1
      for (phase, thread) in [(TraceEvent.Phase.arrowStart, edge.waiter), (.arrowEnd, edge.owner)] {
        events.append(
          TraceEvent(
            phase: phase, name: "waits: \(edge.kind.exported)", category: "wait", process: process,
            thread: thread, time: timeline.place(.zero), arrow: arrows))
      }
    }
    return arrows
  }
}
