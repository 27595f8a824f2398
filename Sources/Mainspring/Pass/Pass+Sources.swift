extension RunLoop {
  /// Performs the version-0 sources that were signalled; says whether there was one.
  @inline(__always)
  func performSources(for run: Run, _ view: ModeView) -> Bool {
    view.hasSignalledSources && performSignalled(for: run, view)
  }

  @inline(never)
  private func performSignalled(for run: Run, _ view: ModeView) -> Bool {
    takeSignalledSources(of: view)
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

  /// Puts the signalled sources of a mode into the round, the one to be performed first standing last.
  private func takeSignalledSources(of view: ModeView) {
    assert(round.sources.isEmpty, "sources of another pass are left")
    take(from: view.own)
    if let common = view.common { take(from: common) }
    if round.sources.count > 1 {
      round.sources.sort { ($0.order, $0.signalSequence) > ($1.order, $1.signalSequence) }
    }
  }

  /// Whether each is still there and signalled is asked before its turn. Nothing is copied: the lists change places.
  private func take(from scope: Scope) {
    var hasStale = false
    for index in scope.signalled.indices {
      scope.signalled[index].unenlist(from: scope.mode)
      if !scope.signalled[index].isSignalled { hasStale = true }
    }
    if hasStale { dropStale(from: scope) }
    if round.sources.isEmpty {
      swap(&round.sources, &scope.signalled)
    } else {
      round.sources += scope.signalled
      scope.signalled.removeAll(keepingCapacity: true)
    }
  }

  /// Those that were performed in another of their modes: signalled in this round, they are the next one's.
  @inline(never)
  private func dropStale(from scope: Scope) { scope.signalled.removeAll { !$0.isSignalled } }

  private func putSourcesBack() {
    while let source = round.sources.popLast() { relist(source) }
  }
}
