import Synchronization

extension RunLoop {
  /// Ends the loop on its thread: every item leaves its modes, with cancel callbacks and with the loop still the
  /// current one; what was queued is released unrun; what comes later is refused and its sender told.
  package func end() {
    guard !hasEnded else { return }
    requireOwnThread(to: "end")
    hasEnded = true
    inbox.close()
    for scope in scopes { if let scope { removeEverything(from: scope) } }
    for view in views { view?.waitSet = nil }
    bell.shutDoor()
    beacon.state.store(
      Beacon.State(progress: progress, mode: nil, nesting: 0, phase: .outside).rawValue, ordering: .releasing)
    forgetThread()
  }

  private func removeEverything(from scope: Scope) {
    // Taken out first: a closure that is released may hold something whose end reaches for the loop.
    while !scope.blocks.isEmpty { _ = scope.blocks.removeFirst() }
    for item in [Item](scope.members.values) {
      detach(item, from: scope.mode)
      item.noteLoopEnded()
    }
  }
}
