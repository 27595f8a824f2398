import SimulationPrograms

extension Model {
  func readyPorts(in mode: Program.Mode) -> [Item] { members(of: mode).filter { !$0.messages.isEmpty } }

  func send(_ message: Int, for player: Player, to number: Int) -> Event.Sending {
    let port = items[number]
    if !port.isValid || port.isClosed { return .closed }
    if port.messages.count >= port.capacity { return .full }
    port.messages.append(message)
    change(concerning: Set(port.modes.keys)) {}
    return .sent
  }

  func close(_ number: Int) {
    let port = items[number]
    port.isClosed = true
    if port.messages.isEmpty { invalidate(port) }
  }

  /// Hands out what waits, and what is sent meanwhile; says whether there was anything.
  func deliver(_ port: Item, for run: ModelRun) -> Bool {
    guard port.isValid, port.modes[run.mode] != nil else { return false }
    let runsBefore = runsBegun
    var delivered = 0
    var turn = Turn()
    while port.isValid, !port.messages.isEmpty {
      port.call(.message(port.messages.removeFirst()))
      delivered += 1
      if run.returnsAfterSource || runsBegun != runsBefore { break }
      if port.modes[run.mode] == nil || run.isStopped || isStoppingAll { break }
      if isOver(&turn, for: run) { break }
    }
    if port.isClosed, port.messages.isEmpty { invalidate(port) }
    if port.isValid, !port.messages.isEmpty { run.leftWork = true }
    if delivered > 0 { noteHandled(port, run) }
    return delivered > 0
  }
}
