import SimulationPrograms

extension Model: World {
  func make(_ kind: Program.Kind, as number: Int, for player: Player) {
    let item = Item(number: number, kind: kind, player: player)
    switch kind {
    case .timer(let first): item.date = first
    case .repeatingTimer(let interval): item.date = now + interval
    case .descriptor(_, let interest, _, _): item.interest = interest
    default: break
    }
    items.append(item)
  }

  func signal(_ number: Int) {
    let source = items[number]
    guard source.isValid, !source.isSignalled else { return }
    source.isSignalled = true
    guard source.belongsToLoop else { return }
    // Marks and wakes nobody.
    change(concerning: []) { [self] in source.signalNumber = nextNumber() }
  }

  func wakeUp() {
    isWakeRequested = true
    ring(for: nil)
  }

  func signalToken(_ token: Int) {
    signalledTokens.insert(token)
    if awaitedTokens.contains(token) { wakeUp() }
  }

  func perform(in modes: [Program.Mode], for player: Player, block: Int) {
    let concerned = modes.reduce(into: Set()) { $0.formUnion(meaning(of: $1)) }
    change(concerning: concerned) { [self] in
      blocks.append(ModelBlock(number: nextNumber(), modes: modes, body: { player.ran(block: block) }))
    }
  }

  func update(_ changes: @escaping @Sendable () -> Void) {
    if isElsewhere { send(concerning: nil, changes) } else { changes() }
  }

  func setDate(_ number: Int, to date: Int?) -> Bool {
    let timer = items[number]
    guard timer.isValid else { return false }
    let moving = { [self] in
      guard timer.isValid else { return }
      timer.date = timer.interval != nil ? date.map { max($0, now) } : date
      timer.dateWasSet = true
      if !timer.isFiring { arm(timer) }
    }
    if timer.belongsToLoop { change(concerning: Set(timer.modes.keys), moving) } else { moving() }
    return true
  }

  func setReadiness(of descriptor: Int, to readiness: Program.Readiness) {
    descriptors.set(readiness, of: descriptor)
  }

  func spend(_ time: Int) { now += time }

  func stop(all: Bool) -> Bool {
    guard let run = runs.last else {
      if all { keptStop = (false, true) } else if !keptStop.all { keptStop.innermost = true }
      return false
    }
    if all { isStoppingAll = true } else { run.isStopped = true }
    ring(for: nil)
    return true
  }

  func cancelPendingStop() -> Bool {
    defer { keptStop = (false, false) }
    return keptStop.innermost || keptStop.all
  }

  func script(after delay: Int, _ event: @escaping () -> Void) {
    // Those of one date happen in the order in which they were scripted.
    let date = now + delay
    events.insert((date, event), at: events.firstIndex { $0.date > date } ?? events.endIndex)
  }

  func end() {
    items = []
    blocks = []
    events = []
    descriptors.kept = []
  }
}
