/// What blocks cost that are not for this mode.
struct ScaleBlocks: SharedScenario {
  let name = "scale-blocks"
  let title = "a pass of one mode while 100,000 blocks wait for another"
  let rules = Rules(21, cf: [42])

  private static let blocks = 100_000

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let loop = Loop.current
    let (mode, other) = (Loop.mode("this"), Loop.mode("other"))
    loop.keepAlive(mode)
    notes.note("none_us", loop.microsecondsPerPass(in: mode, passes: 1000))
    for _ in 0..<Self.blocks { loop.perform(in: other) {} }
    notes.note("many_us", loop.microsecondsPerPass(in: mode, passes: 50))
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    try Finding(facts, withMany: "many_us", withNone: "none_us")
  }
}

/// What sources cost that are not signalled.
struct ScaleSources: SharedScenario {
  let name = "scale-sources"
  let title = "a pass of a mode with 10,000 sources, none of them signalled"
  let rules = Rules(27)

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let loop = Loop.current
    let mode = Loop.mode("of sources")
    loop.keepAlive(mode)
    notes.note("none_us", loop.microsecondsPerPass(in: mode, passes: 1000))
    for _ in 0..<10_000 { loop.addSource(to: mode) {} }
    notes.note("many_us", loop.microsecondsPerPass(in: mode, passes: 200))
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    try Finding(facts, withMany: "many_us", withNone: "none_us")
  }
}

extension ComparedLoop {
  fileprivate func microsecondsPerPass(in mode: Mode, passes: Int) -> Double {
    ProcessFigures.processorMicroseconds(perOneOf: passes) {
      for _ in 0..<passes { run(in: mode, for: .zero) }
    }
  }
}

extension Finding {
  /// Right if what waits elsewhere costs the pass at most as much again.
  fileprivate init(_ facts: Facts, withMany many: String, withNone none: String) throws(MissingFact) {
    let (many, none) = (try facts.number(many), try facts.number(none))
    self.init(
      "\(microseconds(many)) (\(microseconds(none)) without)", isRight: many < 2 * max(none, 1), cost: many)
  }
}
