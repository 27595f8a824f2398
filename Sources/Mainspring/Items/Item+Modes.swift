import Synchronization

extension RunLoop.Item {
  /// The first mode that it is in: for nearly every item the only one. Only on the loop's thread.
  @inline(__always)
  final var firstMode: RunLoop.Mode? {
    let word = firstModeWord.load(ordering: .relaxed)
    return word == 0 ? nil : RunLoop.Mode(number: word &- 1)
  }

  /// Its index among the members of the first mode.
  @inline(__always)
  private final var firstIndex: UInt32 {
    get { firstPlaceWord & ~enlistedBit }
    set { firstPlaceWord = newValue | (firstPlaceWord & enlistedBit) }
  }

  /// Whether the first mode's list of what is to be served holds it.
  @inline(__always)
  private final var firstIsEnlisted: Bool {
    get { firstPlaceWord & enlistedBit != 0 }
    set { firstPlaceWord = newValue ? firstPlaceWord | enlistedBit : firstPlaceWord & ~enlistedBit }
  }

  /// Whether it is in several modes.
  @inline(__always)
  final var hasOtherModes: Bool {
    unsafe extrasIfAny?._withUnsafeGuaranteedRef { !$0.otherModes.isEmpty } ?? false
  }

  /// The modes that it is in.
  final var modes: [RunLoop.Mode] {
    guard let firstMode else { return [] }
    return hasOtherModes ? [firstMode] + extras.otherModes.map(\.mode) : [firstMode]
  }

  /// The modes that concern the item, for deciding whom to wake. Any thread.
  @inline(__always)
  final var mask: ModeMask {
    let word = firstModeWord.load(ordering: .relaxed)
    guard word != 0 else { return .none }
    var mask = ModeMask(RunLoop.Mode(number: word &- 1))
    if let extras = unsafe extrasIfAny {
      let others = unsafe extras._withUnsafeGuaranteedRef { $0.otherMask.load(ordering: .relaxed) }
      mask.formUnion(ModeMask(rawValue: others))
    }
    return mask
  }

  @inline(__always)
  final func isMember(of mode: RunLoop.Mode) -> Bool {
    let word = firstModeWord.load(ordering: .relaxed)
    if word == mode.number &+ 1 { return true }
    return word != 0 && hasOtherModes && extras.otherModes.contains { $0.mode == mode }
  }

  /// - Parameter index: its place among the mode's members.
  final func insertMembership(_ mode: RunLoop.Mode, index: Int) {
    if firstModeWord.load(ordering: .relaxed) == 0 {
      firstIndex = UInt32(index)
      firstIsEnlisted = false
      firstModeWord.store(mode.number + 1, ordering: .relaxed)
    } else {
      extras.otherModes.append(Membership(mode: mode, index: index))
      refreshOtherMask()
    }
  }

  final func removeMembership(_ mode: RunLoop.Mode) {
    if firstModeWord.load(ordering: .relaxed) != mode.number + 1 {
      extras.otherModes.removeAll { $0.mode == mode }
      return refreshOtherMask()
    }
    guard hasOtherModes, let last = extras.otherModes.popLast() else {
      return firstModeWord.store(0, ordering: .relaxed)
    }
    firstIndex = UInt32(last.index)
    firstIsEnlisted = last.isEnlisted
    // Before it leaves the mask of the others: who asks in between is told too many modes, not too few.
    firstModeWord.store(last.mode.number + 1, ordering: .relaxed)
    refreshOtherMask()
  }

  private final func refreshOtherMask() {
    var mask = ModeMask.none
    for other in extras.otherModes { mask.formUnion(ModeMask(other.mode)) }
    extras.otherMask.store(mask.rawValue, ordering: .relaxed)
  }

  /// Its place among the members of a mode that it is in.
  final func index(in mode: RunLoop.Mode) -> Int {
    if firstModeWord.load(ordering: .relaxed) == mode.number + 1 { return Int(firstIndex) }
    return extras.otherModes.first { $0.mode == mode }!.index
  }

  final func setIndex(_ index: Int, in mode: RunLoop.Mode) {
    if firstModeWord.load(ordering: .relaxed) == mode.number + 1 {
      firstIndex = UInt32(index)
    } else if let place = extras.otherModes.firstIndex(where: { $0.mode == mode }) {
      extras.otherModes[place].index = index
    }
  }

  // MARK: lists of what is to be served

  /// Enlists the item in a mode's list once; says whether it was not there yet.
  @inline(__always)
  final func enlist(in mode: RunLoop.Mode) -> Bool {
    guard firstModeWord.load(ordering: .relaxed) == mode.number &+ 1 else { return enlistInOther(mode) }
    if firstIsEnlisted { return false }
    firstIsEnlisted = true
    return true
  }

  @inline(never)
  private final func enlistInOther(_ mode: RunLoop.Mode) -> Bool {
    guard hasOtherModes, let place = extras.otherModes.firstIndex(where: { $0.mode == mode }),
      !extras.otherModes[place].isEnlisted
    else { return false }
    extras.otherModes[place].isEnlisted = true
    return true
  }

  /// Calls `body` for each mode in whose list it was not yet.
  @inline(__always)
  final func enlistInEachMode(_ body: (RunLoop.Mode) -> Void) {
    guard let firstMode else { return }
    if enlist(in: firstMode) { body(firstMode) }
    guard hasOtherModes else { return }
    for mode in modes.dropFirst() where enlist(in: mode) { body(mode) }
  }

  final func isEnlisted(in mode: RunLoop.Mode) -> Bool {
    if firstModeWord.load(ordering: .relaxed) == mode.number + 1 { return firstIsEnlisted }
    return hasOtherModes && extras.otherModes.contains { $0.mode == mode && $0.isEnlisted }
  }

  @inline(__always)
  final func unenlist(from mode: RunLoop.Mode) {
    if firstModeWord.load(ordering: .relaxed) == mode.number &+ 1 {
      firstIsEnlisted = false
    } else if hasOtherModes, let place = extras.otherModes.firstIndex(where: { $0.mode == mode }) {
      extras.otherModes[place].isEnlisted = false
    }
  }
}

private let enlistedBit: UInt32 = 1 << 31
