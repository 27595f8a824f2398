import SimulationPrograms

extension Model {
  func add(_ number: Int, to mode: Program.Mode) -> Bool {
    let item = items[number]
    guard item.isValid else { return false }
    item.belongsToLoop = true
    // On the loop's thread (in an update, say) the wait set is made at once, so that its want can be told.
    if item.isDescriptor, !isElsewhere { modesWithWaitSet.formUnion(meaning(of: mode)) }
    change(concerning: meaning(of: mode)) { [self] in
      guard item.isValid else { return }
      changeModes(of: item) {
        if mode == .common, item.joinsSince == nil || item.isExcepted {
          // One place for all common modes, the earliest that it had in any.
          item.joinsSince = commonModes.compactMap { item.modes[$0] }.min() ?? nextNumber()
          item.isExcepted = false
          item.addedToCommon = nextNumber()
          for common in commonModes where item.modes[common] != nil { item.modes[common] = item.joinsSince }
          enter(item, commonModes, at: item.joinsSince)
          forgetTold(item, in: commonModes)
        } else {
          enter(item, meaning(of: mode))
        }
      }
    }
    return true
  }

  /// Adds to those modes that it is not in, with one place among equals in all of them.
  private func enter(_ item: Item, _ modes: Set<Program.Mode>, at place: Int? = nil) {
    let fresh = modes.filter { item.modes[$0] == nil }
    let place = place ?? nextNumber()
    for mode in fresh {
      item.modes[mode] = place
      item.armings[mode] = nextNumber()
    }
    guard !fresh.isEmpty else { return }
    if item.isTimer, item.date != nil, !item.isFiring { item.isArmed = true }
    refreshWork(of: item)
    if item.isSource, item.isSignalled, item.signalNumber == 0 { item.signalNumber = nextNumber() }
    forgetTold(item, in: fresh)
  }

  func remove(_ number: Int, from mode: Program.Mode) {
    let item = items[number]
    guard item.belongsToLoop else { return }
    change(concerning: meaning(of: mode)) { [self] in
      changeModes(of: item) {
        if mode == .common {
          item.joinsSince = nil
          item.isExcepted = false
        } else if item.joinsSince != nil, !item.isExcepted, commonModes.contains(mode) {
          item.isExcepted = true
          // It had a place among its equals, if only one as a member.
          item.exceptedPlace = item.isArmed || item.isObserver ? item.joinsSince! : item.addedToCommon
          forgetTold(item, in: commonModes.subtracting([mode]))
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
    change(concerning: Set(item.modes.keys)) { [self] in
      changeModes(of: item) {
        item.modes = [:]
        item.joinsSince = nil
        item.isArmed = false
      }
    }
  }

  func makeCommon(_ mode: Program.Mode) {
    change(concerning: [mode]) { [self] in
      guard commonModes.insert(mode).inserted else { return }
      let joining = items.filter {
        $0.joinsSince != nil && $0.modes[mode] == nil && ($0.isValid || !$0.isExcepted)
      }
      .sorted {
        ($0.isExcepted ? $0.exceptedPlace : $0.joinsSince!)
          < ($1.isExcepted ? $1.exceptedPlace : $1.joinsSince!)
      }
      for item in items where item.joinsSince != nil && !item.isExcepted && item.modes[mode] != nil {
        item.modes[mode] = item.joinsSince
        forgetTold(item, in: [mode])
      }
      for item in joining { enter(item, [mode], at: item.isExcepted ? nil : item.joinsSince) }
      registerDescriptors()
      for item in joining where item.isSource { item.noteModes(entered: [mode], left: []) }
    }
  }

  /// Makes the change, and tells a source first which modes it left and then which it came into.
  private func changeModes(of item: Item, _ change: () -> Void) {
    let before = Set(item.modes.keys)
    change()
    let after = Set(item.modes.keys)
    registerDescriptors()
    if item.isSource {
      item.noteModes(entered: after.subtracting(before), left: before.subtracting(after))
    }
  }
}
