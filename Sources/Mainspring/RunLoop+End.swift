import Synchronization

extension RunLoop {
  /// Ends the loop on its thread: jobs of executors are run; every item leaves its modes, with cancel callbacks and with
  /// the loop still the current one; blocks are released unrun; what comes later is refused and its sender told.
  package func end() {
    guard !hasEnded else { return }
    requireOwnThread(to: "end")
    if let hosting { endHosting(hosting) }
    // They may use the loop.
    finishJobs()
    hasEnded = true
    for scope in scopes { removeEverything(from: scope) }
    exceptedItems = [:]
    // After the cancel callbacks: once the inbox refuses, others invalidate for themselves and free handlers.
    inbox.close { giveUp($0) }
    // The last ones, whose senders were told yes.
    finishJobs()
    for view in views { view.waitSet = nil }
    bell.shutDoor()
    beacon.state.store(
      Beacon.State(progress: progress, mode: nil, nesting: 0, phase: .outside).rawValue, ordering: .releasing)
    // Its blocks have left; what waits under a key would keep itself.
    cancelPerforms { _ in true }
    put(nil)
    forgetThread()
    closeGates()
  }

  /// Of what was sent before the end, the removals are made, jobs are queued, and everything else is released.
  private func giveUp(_ entry: consuming InboxEntry) {
    switch entry.content {
    case .change(let change): change(self)
    // SAFETY: as the entry's.
    case .job(let job, let gate): unsafe gate._withUnsafeGuaranteedRef { queue(job, at: $0) }
    default: break
    }
  }

  private func removeEverything(from scope: Scope) {
    // Taken out first: a closure that is released may hold something whose end reaches for the loop.
    while scope.blocks.firstSequence != .max { _ = scope.blocks.removeFirst() }
    for item in scope.membersInOrder { detach(item, from: scope.mode) }
  }
}
