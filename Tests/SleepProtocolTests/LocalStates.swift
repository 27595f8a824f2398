/// The local states of all actors, numbered as they are found.
///
/// A local state is a stretch of the actor and the results of its steps in it. An actor is run only once
/// for each, so a global state needs no more of an actor than a number.
struct LocalStates {
  private struct Local {
    let actor: Int
    let stretch: Int
    let results: [UInt32]
    let position: Actor.Position
    var successors: [(result: UInt32, local: Int)] = []
  }

  private let actors: [Actor]
  private var locals: [Local] = []
  /// The local state at the start of each stretch of the loop.
  private var starts: [Int: Int] = [:]

  init(of actors: [Actor]) { self.actors = actors }

  func position(at local: Int) -> Actor.Position { locals[local].position }

  func stretch(at local: Int) -> Int { locals[local].stretch }

  /// Where an actor starts.
  mutating func start(of actor: Int) -> Int {
    actor == 0 ? startOfLoop(stretch: 0) : add(actor: actor, stretch: 0, results: [])
  }

  /// Where the actor is after its next step gave `result`.
  mutating func successor(of local: Int, after result: UInt32) -> Int {
    if case .before(let step) = locals[local].position, case .startPass(let stretch, _) = step.operation {
      return startOfLoop(stretch: stretch)
    }
    for known in locals[local].successors where known.result == result { return known.local }
    let found = add(
      actor: locals[local].actor, stretch: locals[local].stretch,
      results: locals[local].results + [result])
    locals[local].successors.append((result, found))
    return found
  }

  private mutating func startOfLoop(stretch: Int) -> Int {
    if let known = starts[stretch] { return known }
    let found = add(actor: 0, stretch: stretch, results: [])
    starts[stretch] = found
    return found
  }

  private mutating func add(actor: Int, stretch: Int, results: [UInt32]) -> Int {
    let position = actors[actor].position(inStretch: stretch, after: results)
    locals.append(Local(actor: actor, stretch: stretch, results: results, position: position))
    return locals.count - 1
  }
}
