import Mainspring

/// What is remembered for the properties, and where they are checked.
extension World {
  func remember(
    _ step: Step, result: UInt32, by actor: Int, in state: inout WorldState
  ) throws(Violation) {
    switch step.name {
    case .bell(.announceSleep):
      if case .load = step.operation { return }
      state.claims = 0
      state.sleepIsInForce = true
    case .bell(.claim):
      rememberClaim(step.operation, result: result, by: actor, in: &state)
    case .bell(.ring), .bell(.wake):
      try checkRing(by: actor, in: &state)
    case .bell(.noticeRing):
      if case .load = step.operation { state.wasClaimedAtNotice = state.claims > 0 }
    case .bell(.shutDoor):
      guard result & 0xC000_0000 == 0 || !isRead(step.operation) else {
        throw Violation(.noTrap, "the door was shut before: \(result)")
      }
    case .startPass:
      state.sleepIsInForce = false
      guard case .startPass(_, let rung?) = step.operation else { return }
      guard rung == state.wasClaimedAtNotice else {
        throw Violation(.trueReport, "sleep says rung: \(rung)")
      }
      state.wasClaimedAtNotice = false
    default: break
    }
  }

  private func isRead(_ operation: Operation) -> Bool {
    switch operation {
    case .load, .add: true
    default: false
    }
  }

  private func rememberClaim(
    _ operation: Operation, result: UInt32, by poster: Int, in state: inout WorldState
  ) {
    switch operation {
    case .compareExchange, .compare: guard result != 0 else { return }
    case .store, .exchange: break
    default: return
    }
    state.claims += 1
    guard state.sleepIsInForce else { return state.setClaim(of: poster, .loopIsUp) }
    guard state.claims == 1 else { return state.setClaim(of: poster, .second) }
    // The code that was announced is that of the loop's present sleep: it has not started the next pass.
    let isConcerned = announcedSleep(in: state).map { post(of: poster).concerns($0) } ?? true
    state.setClaim(of: poster, isConcerned ? .due : .unconcerned)
  }

  /// The sleep that the loop's stretch is about.
  private func announcedSleep(in state: WorldState) -> Sleep? {
    let stretch = locals.stretch(at: state.local(of: 0))
    return stretch < scenario.sleeps.count ? scenario.sleeps[stretch] : nil
  }

  private func checkRing(by poster: Int, in state: inout WorldState) throws(Violation) {
    switch state.claim(of: poster) {
    case .due: state.setClaim(of: poster, .none)
    case .none: throw Violation(.noNeedlessRing, "rings without a claim")
    case .second: throw Violation(.noNeedlessRing, "second ring for one sleep")
    case .unconcerned: throw Violation(.noNeedlessRing, "rings for what does not concern the sleeper")
    case .loopIsUp: throw Violation(.noNeedlessRing, "rings a loop that is up")
    }
  }

  /// Checks a state in which no actor and no store can move, and no wait ends by itself.
  func checkQuiet(_ state: WorldState) throws(Violation) {
    if let sleep = currentSleep(in: state) {
      for poster in posters where post(of: poster).concerns(sleep) {
        let entry = state.entry(of: poster)
        guard entry != .posted && entry != .held else {
          throw Violation(.noLostWakeUp, "sleeps over the entry of poster \(poster)")
        }
      }
    }
  }

  /// Checks a state after which nothing can happen at all.
  func checkEnd(_ state: WorldState) throws(Violation) {
    guard state.descriptorIsClosed else { throw Violation(.closedOnce, "never closed") }
    for actor in 0..<actorCount {
      guard case .done(let told) = position(of: actor, in: state) else {
        throw Violation(.progress, "actor \(actor) is stuck")
      }
      if actor > 0 { try checkEntry(of: actor, told: told, in: state) }
    }
  }

  private func checkEntry(of poster: Int, told: Bool, in state: WorldState) throws(Violation) {
    let entry = state.entry(of: poster)
    switch entry {
    case .run,
      .released where told:
      return
    case .refused where !told: return
    default: throw Violation(.accounted, "the entry of poster \(poster) ends as \(entry), told \(told)")
    }
  }
}
