/// One move of the world: what a branch of the exploration is about.
struct Move {
  enum Kind: UInt8 { case step, flush, endWait }

  let actor: Int
  let kind: Kind

  init(_ kind: Kind, of actor: Int) {
    self.actor = actor
    self.kind = kind
  }

  /// The move in one byte.
  var code: UInt8 { UInt8(actor) << 2 | kind.rawValue }

  init(code: UInt8) { self.init(Kind(rawValue: code & 3)!, of: Int(code >> 2)) }
}

extension World {
  /// Appends what can happen in the state, other than that a wait ends by itself.
  func appendMoves(in state: WorldState, to moves: inout [Move]) {
    for actor in 0..<actorCount {
      if state.buffer(of: actor) != 0 { moves.append(Move(.flush, of: actor)) }
      if canStep(actor, in: state) { moves.append(Move(.step, of: actor)) }
    }
  }

  mutating func make(_ move: Move, in state: inout WorldState) throws(Violation) {
    switch move.kind {
    case .step: try step(move.actor, in: &state)
    case .flush: flush(move.actor, in: &state)
    case .endWait: endWait(in: &state)
    }
  }
}
