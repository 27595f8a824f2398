extension RunLoop {
  /// Performs the version-0 sources that were signalled; says whether there was one.
  func performSources(for run: Run) -> Bool {
    guard run.view.hasSignalledSources else { return false }
    round.sources = takeSignalledSources(of: run.view)
    var performed = false
    while let source = round.sources.popLast() {
      guard source.isValid, source.isSignalled, run.view.includes(source) else { continue }
      performed = true
      perform(source, for: run)
      if run.returnsAfterSourceHandled { break }
    }
    putSourcesBack()
    return performed
  }

  private func perform(_ source: Source, for run: Run) {
    source.clearSignal()
    run.hasHandledSource = true
    source.timesHandled &+= 1
    beginCallout(.source, source.site)
    source.callOut()
    endCallout(.source)
  }

  /// The signalled sources of a mode, the one to be performed first standing last.
  private func takeSignalledSources(of view: ModeView) -> [Source] {
    var taken = take(from: view.own)
    if let common = view.common { taken += take(from: common) }
    if taken.count > 1 { taken.sort { ($0.order, $0.signalSequence) > ($1.order, $1.signalSequence) } }
    return taken
  }

  private func take(from scope: Scope) -> [Source] {
    guard !scope.signalled.isEmpty else { return [] }
    let listed = scope.signalled
    scope.signalled.removeAll(keepingCapacity: true)
    for source in listed { source.unenlist(from: scope.mode) }
    return listed.filter { $0.isValid && $0.isSignalled && $0.isMember(of: scope.mode) }
  }

  private func putSourcesBack() {
    while let source = round.sources.popLast() {
      for membership in source.memberships where source.enlist(in: membership.mode) {
        scope(of: membership.mode).signalled.append(source)
      }
    }
  }
}
