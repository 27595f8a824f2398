import Mainspring

/// The actors of a scenario on a machine with store buffers (x86-TSO), and the rules by which they move.
struct World {
  let scenario: Scenario
  let fault: Fault?
  private(set) var locals: LocalStates
  private var stores = StoreNames()

  init(_ scenario: Scenario, fault: Fault? = nil) {
    precondition(
      scenario.posts.count < WorldState.actorsMax, "\(scenario.posts.count) posters do not fit a state")
    self.scenario = scenario
    self.fault = fault
    let actors = (0...scenario.posts.count).map { Actor(index: $0, scenario: scenario, fault: fault) }
    locals = LocalStates(of: actors)
  }

  var actorCount: Int { scenario.posts.count + 1 }

  mutating func start() -> WorldState {
    var state = WorldState()
    for actor in 0..<actorCount { state.setLocal(of: actor, locals.start(of: actor)) }
    return state
  }

  func position(of actor: Int, in state: WorldState) -> Actor.Position {
    locals.position(at: state.local(of: actor))
  }

  /// Whether the actor's next step can be done now.
  func canStep(_ actor: Int, in state: WorldState) -> Bool {
    guard case .before(let step) = position(of: actor, in: state) else { return false }
    switch step.operation {
    case .wait(let sleep):
      guard state.buffer(of: actor) == 0 else { return false }
      switch (state.waiting, sleep.medium) {
      case (.no, _), (.woken, _): return true
      case (.blocked, .word): return false
      case (.blocked, .descriptor), (.blocked, .host): return state.hasEdge(sleep.mode)
      }
    case .store: return !state.bufferIsFull(of: actor)
    case let operation: return !operation.drainsBuffer || state.buffer(of: actor) == 0
    }
  }

  /// Does the actor's next step.
  mutating func step(_ actor: Int, in state: inout WorldState) throws(Violation) {
    guard case .before(let step) = position(of: actor, in: state) else { return }
    if case .wait(let sleep) = step.operation {
      guard wait(on: sleep, in: &state) else { return }
      advance(actor, after: 0, in: &state)
    } else {
      let result = try perform(step, by: actor, in: &state)
      try remember(step, result: result, by: actor, in: &state)
      advance(actor, after: result, in: &state)
    }
  }

  /// The oldest store of the actor's buffer reaches memory.
  mutating func flush(_ actor: Int, in state: inout WorldState) {
    let store = stores[state.popStore(of: actor)]
    switch store.target {
    case .word(let word): state[word] = store.value
    case .inbox: state.setEntry(of: actor, .posted)
    }
  }

  /// The loop's wait ends by itself: a deadline, a signal, or at last somebody from outside.
  mutating func endWait(in state: inout WorldState) {
    state.waiting = .no
    advance(0, after: 0, in: &state)
  }

  mutating func advance(_ actor: Int, after result: UInt32, in state: inout WorldState) {
    state.setLocal(of: actor, locals.successor(of: state.local(of: actor), after: result))
  }

  /// What the actor reads: its own youngest store to the word, or memory.
  func read(_ word: BellWord, by actor: Int, in state: WorldState) -> UInt32 {
    let content = state.buffer(of: actor)
    for name in [UInt8(truncatingIfNeeded: content >> 8), UInt8(truncatingIfNeeded: content)] where name > 0 {
      let store = stores[name]
      if store.target == .word(word) { return store.value }
    }
    return state[word]
  }

  mutating func put(_ store: BufferedStore, by actor: Int, in state: inout WorldState) {
    state.buffer(stores.name(of: store), of: actor)
  }
}
