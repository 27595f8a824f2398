extension RunLoop {
  /// Does what was sent to the default mode and the common ones before blocks were refused: blocks, signals of sources,
  /// messages of ports. Signals and messages that come meanwhile are not waited for. On the loop's thread, outside runs.
  func finishSent() {
    inbox.refuseBlocks()
    isFinishing = true
    defer { isFinishing = false }
    let others = commonModes.subtracting([.default]).sorted { $0.number < $1.number }
    for mode in [.default] + others {
      finishSent(in: mode)
      if isInherited { return }
    }
  }

  private func finishSent(in mode: Mode) {
    // Of the runs that are over; a pass is to come.
    cancelPendingStop()
    acceptWaiting()
    let view = view(of: mode)
    var rest = unservedSources(of: view)
    // Its passes take all their turns, and so end: there are no more blocks than there were.
    while view.hasBlocks || !rest.isEmpty {
      let passesBefore = passesBegun
      run(in: mode, for: .zero, whenEmpty: .wait)
      if isInherited { return }
      rest.removeAll { !$0() }
      // An observer that stops each run at its entry keeps it from its passes.
      if passesBegun == passesBefore {
        drainBlocks(of: view)
        rest = []
      }
    }
  }

  /// For each source that is signalled and each port that has messages: whether it is still to be called for that.
  private func unservedSources(of view: ModeView) -> [() -> Bool] {
    let scopes = [view.own] + (view.common.map { [$0] } ?? [])
    let sources = scopes.flatMap(\.signalled).map { source in
      let before = source.timesPerformed
      return {
        source.isSignalled && source.timesPerformed == before && source.isValid && view.includes(source)
      }
    }
    let ports = scopes.flatMap(\.readyPorts).map { port in
      let last = port.deliveredCount &+ UInt64(port.count)
      return { port.deliveredCount < last && port.hasMessages && port.isValid && view.includes(port) }
    }
    return sources + ports
  }
}
