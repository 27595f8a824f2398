/// Visits every state that a scenario can reach, breadth first, so that the first violation has the
/// shortest trace.
struct Explorer {
  private var world: World
  private var table = StateTable()
  /// For each state, from which it was found first, and by which move.
  private var parents: [UInt32] = []
  private var parentMoves: [UInt8] = []
  /// The numbers of the states that each state leads to, one list after the other.
  private var targets: [UInt32] = []
  private var targetEnds: [Int] = []

  private init(_ world: World) { self.world = world }

  /// What an exploration came to.
  struct Outcome {
    let stateCount: Int
    let transitionCount: Int
    let violation: Violation?
    /// How the violation is reached, a line for each move.
    let trace: [String]

    /// The violation and its trace, for people.
    var lines: String {
      ([violation.map { "\($0)" } ?? "no violation"] + trace).joined(separator: "\n")
    }
  }

  static func explore(_ scenario: Scenario, fault: Fault? = nil) -> Outcome {
    var explorer = Explorer(World(scenario, fault: fault))
    return explorer.run()
  }

  private mutating func run() -> Outcome {
    visit(world.start(), from: 0, by: Move(.step, of: 0))
    var number = 0
    while number < table.states.count {
      do throws(Failure) {
        try expand(number)
      } catch {
        return outcome(error.violation, at: number, by: error.move)
      }
      number += 1
    }
    if let state = stateOnCycle() {
      return outcome(Violation(.progress, "can go on for ever from here"), at: state, by: nil)
    }
    return outcome(nil, at: 0, by: nil)
  }

  private struct Failure: Error {
    let violation: Violation
    var move: Move?
  }

  private mutating func expand(_ number: Int) throws(Failure) {
    let state = table.states[number]
    var moves: [Move] = []
    world.appendMoves(in: state, to: &moves)
    do throws(Violation) {
      if moves.isEmpty { try world.checkQuiet(state) }
      if state.waiting == .blocked {
        // Of all that happens from outside, a scenario needs only that at last somebody stops the loop.
        if world.scenario.endsEarly || moves.isEmpty { moves.append(Move(.endWait, of: 0)) }
      } else if moves.isEmpty {
        try world.checkEnd(state)
      }
    } catch {
      throw Failure(violation: error)
    }
    for move in moves {
      var next = state
      do throws(Violation) {
        try world.make(move, in: &next)
      } catch {
        throw Failure(violation: error, move: move)
      }
      targets.append(UInt32(visit(next, from: number, by: move)))
    }
    targetEnds.append(targets.count)
  }

  @discardableResult
  private mutating func visit(_ state: WorldState, from parent: Int, by move: Move) -> Int {
    let (number, isNew) = table.insert(state)
    if isNew {
      parents.append(UInt32(parent))
      parentMoves.append(move.code)
    }
    return number
  }
}

/// Every run ends if and only if the states can be taken away one by one, each when nothing that is left
/// leads to it.
extension Explorer {
  private func stateOnCycle() -> Int? {
    var sourceCounts = [UInt32](repeating: 0, count: table.states.count)
    for target in targets { sourceCounts[Int(target)] += 1 }
    var free = sourceCounts.indices.filter { sourceCounts[$0] == 0 }
    while let number = free.popLast() {
      for index in (number == 0 ? 0 : targetEnds[number - 1])..<targetEnds[number] {
        let target = Int(targets[index])
        sourceCounts[target] -= 1
        if sourceCounts[target] == 0 { free.append(target) }
      }
    }
    return sourceCounts.firstIndex { $0 != 0 }
  }
}

/// The trace of a violation, found by making its moves again.
extension Explorer {
  private mutating func outcome(_ violation: Violation?, at number: Int, by move: Move?) -> Outcome {
    var moves: [Move] = []
    if violation != nil {
      if let move { moves.append(move) }
      var state = number
      while state != 0 {
        moves.append(Move(code: parentMoves[state]))
        state = Int(parents[state])
      }
    }
    return Outcome(
      stateCount: table.states.count, transitionCount: targets.count, violation: violation,
      trace: trace(of: moves.reversed()))
  }

  private mutating func trace(of moves: [Move]) -> [String] {
    var state = world.start()
    return moves.map { move in
      let before = state
      let violation: Violation?
      do throws(Violation) {
        try world.make(move, in: &state)
        violation = nil
      } catch {
        violation = error
      }
      return world.describe(move, from: before, to: state) + (violation.map { " ← \($0.detail)" } ?? "")
    }
  }
}
