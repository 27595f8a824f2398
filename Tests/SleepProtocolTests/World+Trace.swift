import Mainspring

/// Moves as lines for people.
extension World {
  func describe(_ move: Move, from before: WorldState, to after: WorldState) -> String {
    let who = (move.actor == 0 ? "loop" : "poster \(move.actor)").padded(to: 10)
    switch move.kind {
    case .endWait: return "\(who)wait ends by itself"
    case .flush: return "\(who)store is seen: sleep \(code(after[.sleep])), door \(door(after[.door]))"
    case .step:
      guard case .before(let step) = position(of: move.actor, in: before) else { return who }
      return who + describe(step, by: move.actor, from: before, to: after)
    }
  }

  private func describe(
    _ step: Step, by actor: Int, from before: WorldState, to after: WorldState
  ) -> String {
    let name =
      if case .bell(let bellStep) = step.name { "\(bellStep)" } else { "\(step.name)" }
    let effect: String =
      switch step.operation {
      case .load(let word): "reads \(value(read(word, by: actor, in: before), of: word))"
      case .store(let stored, let word): "stores \(value(stored, of: word)), not yet seen"
      case .exchange(let word, _), .add(_, let word), .compareExchange(let word, _, _):
        "\(word) \(value(before[word], of: word)) → \(value(after[word], of: word))"
      case .compare(let word, let expected):
        "compares \(value(before[word], of: word)) to \(value(expected, of: word))"
      case .append: after.entry(of: actor) == .refused ? "refused" : "entry for \(post(of: actor))"
      case .wait(let sleep): after.waiting == .blocked ? "blocks in \(sleep)" : "returns"
      case .peek, .accept, .startPass, .closeInbox:
        posters.map { "\(after.entry(of: $0))" }.joined(separator: " ")
      case .takeRings(let sleep): "of \(sleep)"
      case .wakeSleeper: after.waiting == .woken ? "wakes" : "finds nobody"
      case .writeDescriptor, .closeDescriptor: ""
      }
    return "\(name) ".padded(to: 15) + effect
  }

  private func value(_ value: UInt32, of word: BellWord) -> String {
    word == .sleep ? code(value) : door(value)
  }

  private func code(_ value: UInt32) -> String {
    if value == SleepCode.awake.rawValue { return "awake" }
    return scenario.sleeps.first { $0.code.rawValue == value }.map { "asleep(\($0))" } ?? "\(value)"
  }

  private func door(_ value: UInt32) -> String {
    let flags = (value >> 31 != 0 ? "shut+" : "") + (value >> 30 & 1 != 0 ? "retired+" : "")
    return "\(flags)\(value & 0x3FFF_FFFF)"
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }
}
