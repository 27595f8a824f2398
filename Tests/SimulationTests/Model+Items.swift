extension Model {
  func make(_ kind: Kind, as number: Int, for player: Player) {
    let item = Item(number: number, call: { player.called(number, $0) }, tell: { player.note($0) })
    switch kind {
    case .source(let order):
      item.isSource = true
      item.order = order
    case .timer(let first):
      item.isTimer = true
      item.date = first
    case .repeatingTimer(let interval):
      item.isTimer = true
      item.date = now + interval
      item.interval = interval
    case .rearmableTimer:
      item.isTimer = true
      item.isRearmable = true
    case .observer(let activities, let repeats, let order):
      item.activities = activities
      item.repeats = repeats
      item.order = order
    }
    items.append(item)
  }

  // MARK: adding and removing

  func add(_ number: Int, to mode: String) -> Bool {
    let item = items[number]
    guard item.isValid else { return false }
    item.belongsToLoop = true
    send(concerning: meaning(of: mode)) { [self] in
      guard item.isValid else { return }
      changeModes(of: item) {
        if mode == "common", item.joinsSince == nil || item.isExcepted {
          // One place for all common modes, the earliest that it had in any.
          item.joinsSince = commonModes.compactMap { item.modes[$0] }.min() ?? nextNumber()
          item.isExcepted = false
          for common in commonModes where item.modes[common] != nil { item.modes[common] = item.joinsSince }
          enter(item, commonModes, at: item.joinsSince)
        } else {
          enter(item, meaning(of: mode))
        }
      }
    }
    return true
  }

  /// Adds to those modes that it is not in, with one place among equals in all of them.
  private func enter(_ item: Item, _ modes: Set<String>, at place: Int? = nil) {
    let fresh = modes.filter { item.modes[$0] == nil }
    let place = place ?? nextNumber()
    for mode in fresh { item.modes[mode] = place }
    guard !fresh.isEmpty else { return }
    if item.isTimer, item.date != nil, !item.isFiring { item.isArmed = true }
    if item.isSource, item.isSignalled, item.signalNumber == 0 { item.signalNumber = nextNumber() }
  }

  func remove(_ number: Int, from mode: String) {
    let item = items[number]
    guard item.belongsToLoop else { return }
    send(concerning: meaning(of: mode)) { [self] in
      changeModes(of: item) {
        if mode == "common" {
          item.joinsSince = nil
          item.isExcepted = false
        } else if item.joinsSince != nil, commonModes.contains(mode) {
          item.isExcepted = true
        }
        for left in meaning(of: mode) { item.modes[left] = nil }
        if item.modes.isEmpty { item.isArmed = false }
      }
    }
  }

  func invalidate(_ number: Int) { invalidate(items[number]) }

  func invalidate(_ item: Item) {
    guard item.isValid else { return }
    item.isValid = false
    guard item.belongsToLoop else { return }
    send(concerning: Set(item.modes.keys)) { [self] in
      changeModes(of: item) {
        item.modes = [:]
        item.joinsSince = nil
        item.isArmed = false
      }
    }
  }

  func makeCommon(_ mode: String) {
    send(concerning: [mode]) { [self] in
      guard commonModes.insert(mode).inserted else { return }
      let joining = items.filter {
        $0.joinsSince != nil && $0.modes[mode] == nil && ($0.isValid || !$0.isExcepted)
      }
      .sorted { $0.joinsSince! < $1.joinsSince! }
      for item in items where item.joinsSince != nil && !item.isExcepted && item.modes[mode] != nil {
        item.modes[mode] = item.joinsSince
      }
      for item in joining { enter(item, [mode], at: item.isExcepted ? nil : item.joinsSince) }
      for item in joining where item.isSource { item.tell("schedule \(item.number) in \(mode)") }
    }
  }

  /// Makes the change, and tells a source first which modes it left and then which it came into.
  private func changeModes(of item: Item, _ change: () -> Void) {
    let before = Set(item.modes.keys)
    change()
    let after = Set(item.modes.keys)
    guard item.isSource else { return }
    for mode in Program.modes where before.contains(mode) && !after.contains(mode) {
      item.tell("cancel \(item.number) in \(mode)")
    }
    for mode in Program.modes where after.contains(mode) && !before.contains(mode) {
      item.tell("schedule \(item.number) in \(mode)")
    }
  }

  // MARK: work

  func signal(_ number: Int) {
    let source = items[number]
    guard source.isValid, !source.isSignalled else { return }
    source.isSignalled = true
    guard source.belongsToLoop else { return }
    send(concerning: []) { [self] in source.signalNumber = nextNumber() }
  }

  func wakeUp() {
    isWakeRequested = true
    ring(for: nil)
  }

  func perform(in modes: [String], for player: Player, block: Int) {
    let concerned = modes.reduce(into: Set<String>()) { $0.formUnion(meaning(of: $1)) }
    send(concerning: concerned) { [self] in
      blocks.append(Block(number: nextNumber(), modes: modes, body: { player.ran(block: block) }))
    }
  }

  func setDate(_ number: Int, to date: Int?) -> Bool {
    let timer = items[number]
    guard timer.isValid else { return false }
    let change = { [self] in
      guard timer.isValid else { return }
      timer.date = timer.interval != nil ? date.map { max($0, now) } : date
      timer.dateWasSet = true
      if !timer.isFiring { arm(timer) }
    }
    if timer.belongsToLoop { send(concerning: Set(timer.modes.keys), change) } else { change() }
    return true
  }

  /// Arms it anew in all its modes, behind those of the same date.
  func arm(_ timer: Item) {
    timer.isArmed = timer.date != nil && !timer.modes.isEmpty
    let place = nextNumber()
    for mode in timer.modes.keys { timer.modes[mode] = place }
    if timer.joinsSince != nil { timer.joinsSince = place }
  }

  func end() {
    items = []
    blocks = []
    events = []
    mail = []
  }

  func spend(_ time: Int) { now += time }

  // MARK: stops

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
    events.append((now + delay, event))
    // Sorting a few with equals among them must keep these in order.
    events = events.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(
      \.element)
  }
}
