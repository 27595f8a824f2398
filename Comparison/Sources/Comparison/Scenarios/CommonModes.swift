/// The common modes by a name that was made anew.
struct CommonModes: SharedScenario {
  let name = "common-modes"
  let title = "a timer added to the common modes by an equal name, and a run in the default mode"
  let rules = Rules(15, 16, cf: [79])

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let loop = Loop.current
    loop.keepAlive(Loop.defaultMode)
    let fired = Shared(false)
    loop.addTimer(after: .milliseconds(10), to: Loop.mode(Loop.nameOfCommonModes)) { fired.value = true }
    loop.run(in: Loop.defaultMode, for: .milliseconds(50))
    notes.note("fired", fired.value)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let fired = try facts.isTrue("fired")
    return Finding(fired ? "it fired" : "it did not fire: a mode of that name was made", isRight: fired)
  }
}
