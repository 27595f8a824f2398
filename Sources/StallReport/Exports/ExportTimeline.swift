/// One axis of time for several reports, whose stalls all begin at the same place: what is days apart could not be seen
/// on one screen, and clocks of hosts do not agree.
struct ExportTimeline {
  /// From the axis's begin to that of the stalls: what happened before them needs room.
  let lead: Duration

  init(_ reports: [Report]) {
    let before = reports.flatMap { report in
      report.passes.before.map(\.time) + report.breadcrumbs.map(\.time)
    }
    lead = .zero - (before.map(\.believableEitherWay).min().map { min($0, .zero) } ?? .zero)
  }

  /// The place on the axis of what happened so long after the stall's begin.
  func place(_ time: Duration) -> Duration { lead + max(.zero - lead, time.believableEitherWay) }
}
