import SimulationPrograms

/// Leaves out of programs what CFRunLoop and the loop do differently by rule: each difference is one of the functions
/// below, with the numbers of the rules.
final class Agreement: Restraint {
  private let program: Program
  private var signalled: Set<Int> = []
  private var due: Set<Int> = []
  private var inCommon: Set<Int> = []
  private var pendingBlocks = 0
  /// Timers that were due and have been put off while timers were being fired.
  private var postponed: Set<Int> = []

  init(_ program: Program) {
    self.program = program
    for (item, kind) in program.items.enumerated() {
      if case .timer(first: 0) = kind { due.insert(item) }
    }
  }

  // MARK: what happens

  func note(_ item: Int, _ what: Event.Callout) {
    switch what {
    case .source: signalled.remove(item)
    case .timer: if !program.stoppers.contains(item) { due.remove(item) }
    default: break
    }
  }

  func noteBlock() { pendingBlocks -= 1 }

  func allows(_ act: Act, amid stage: [Scene]) -> Bool {
    if !stage.contains(where: \.isTimer) { postponed = [] }
    guard agree(on: act, Stage(scenes: stage)) else { return false }
    follow(act, isFiring: stage.contains(where: \.isTimer))
    return true
  }

  private func follow(_ act: Act, isFiring: Bool) {
    switch act {
    case .signal(let item): signalled.insert(item)
    case .perform: pendingBlocks += 1
    case .add(let item, .common): inCommon.insert(item)
    case .remove(let item, .common): inCommon.remove(item)
    case .invalidate(let item):
      signalled.remove(item)
      due.remove(item)
      inCommon.remove(item)
    case .setDate(let item, 0): due.insert(item)
    case .setDate(let item, _): if due.remove(item) != nil, isFiring { postponed.insert(item) }
    default: break
    }
  }

  // MARK: differences

  private func agree(on act: Act, _ stage: Stage) -> Bool {
    switch act {
    case .remove(let item, let mode): canRemove(item, from: mode, stage)
    case .invalidate(let item): canInvalidate(item, stage)
    case .add(let item, _): !(due.contains(item) && stage.isAfterWaiting)
    case .setDate(let item, let date): canSetDate(of: item, to: date!, stage)
    case .perform: canPerform(stage)
    case .makeCommon: !stage.isAfterWaiting && !(stage.isInBlock && pendingBlocks > 0)
    case .run(let run): canRun(run, stage)
    default: true
    }
  }

  private func canRemove(_ item: Int, from mode: Program.Mode, _ stage: Stage) -> Bool {
    // CF 78 is about what was added to common. What was not, CFRunLoop leaves where it is; here it leaves every common
    // mode, as the documentation of `remove` says.
    if mode == .common, !inCommon.contains(item) { return false }
    switch program.items[item] {
    // CF 32, M26: an observer that was removed in an activity is still called by CFRunLoop.
    case .observer: return !stage.isInObserver
    // CF 46, M26: a source that was removed from the mode is still performed in its round.
    case .source: return !(stage.isInSource && signalled.contains(item))
    // CF 59, M26: a timer that was removed from the mode is still fired in its round if another mode holds it.
    default: return !(stage.isFiring && due.contains(item))
    }
  }

  /// CF 47, M24: where the last source of the round is invalid by its turn, CFRunLoop says that none was handled.
  private func canInvalidate(_ item: Int, _ stage: Stage) -> Bool {
    !(stage.isInSource && signalled.contains(item))
  }

  private func canSetDate(of item: Int, to date: Int, _ stage: Stage) -> Bool {
    let isOwn = stage.isFiring(item)
    // CF 57, M34: a one-shot timer ends after its callout, whatever date that set.
    if isOwn, case .timer = program.items[item] { return false }
    // The slip that `CoreFoundationWorld.lookForTimers` tells of, where an outer run is past its beginning.
    if isOwn, !program.stoppers.contains(item), stage.runModes.count > 1 { return false }
    guard date == 0 else { return true }
    // M3: what is served is what was due at the look; CFRunLoop looks after afterWaiting.
    if stage.isAfterWaiting { return false }
    // M3, CF 20: CFRunLoop still fires what is due in a pass that ends because a source was handled.
    if stage.returnsAfterSource { return false }
    // M32, CF 59: one that was due and is moved while others fire is due again in the next pass; to CFRunLoop it still
    // is in this one, if it is due when its turn comes.
    return isOwn || !stage.isFiring || !(due.contains(item) || postponed.contains(item))
  }

  private func canPerform(_ stage: Stage) -> Bool {
    // CF 39, M20: a block that is queued by a block makes the pass busy here.
    // M3: and a pass that ends because a source was handled does not come to it here.
    !(stage.isInBlock && (stage.isLong || stage.returnsAfterSource))
  }

  private func canRun(_ run: Act.Run, _ stage: Stage) -> Bool {
    if case .plain(returnAfterSource: true, _) = run.way, !due.isEmpty {
      // M3, CF 20, as above.
      return false
    }
    // CF 30, M9: a nested run could perform the last source, and then nothing in the outer pass keeps CFRunLoop awake.
    if stage.isFinishing { return false }
    switch stage.innermost {
    // CF 41, M19: blocks behind the one that runs the loop are hidden from the nested run in CFRunLoop.
    case .block: return pendingBlocks == 0
    // M13: what the outer round had not come to is looked for anew here, whatever mode the nested run is in; CFRunLoop
    // goes on with it.
    case .callout(let item, .source): return signalled.subtracting([item]).isEmpty
    case .callout(let item, .timer):
      // CF 13, M8: a timer that is firing keeps a mode alive in CFRunLoop.
      return due.subtracting([item]).isEmpty && program.anchor != nil
    // M3, CF 24: the timer that ended the wait is fired by nobody until the outer run does in CFRunLoop.
    case .callout(_, .activity(.afterWaiting)): return false
    default: return true
    }
  }
}
