extension RunLoop {
  /// Performs the version-0 sources that were signalled; says whether there was one.
  @inline(__always)
  func performSources(for run: Run, _ view: ModeView) -> Bool {
    view.hasSignalledSources && performSignalled(for: run, view)
  }

  @inline(never)
  private func performSignalled(for run: Run, _ view: ModeView) -> Bool {
    round.sources = takeSignalledSources(of: view)
    var performed = false
    while let source = round.sources.popLast() {
      guard source.isValid, source.isSignalled, view.includes(source) else { continue }
      performed = true
      perform(source, for: run)
      if run.returnsAfterSourceHandled { break }
    }
    putSourcesBack()
    return performed
  }

  private func perform(_ source: Source, for run: Run) {
    source.clearSignal()
    noteHandled(source, run)
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
      source.enlistInEachMode { mode in
        scope(of: mode).signalled.append(source)
      }
    }
  }
}
