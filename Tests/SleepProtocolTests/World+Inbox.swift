/// The inbox. Its lock makes each of these one step.
extension World {
  mutating func useInbox(
    _ operation: Operation, by actor: Int, in state: inout WorldState
  ) throws(Violation) -> UInt32 {
    switch operation {
    case .append:
      return append(by: actor, in: &state) ? 1 : 0
    case .peek:
      return posters.contains { state.entry(of: $0) == .posted } ? 1 : 0
    case .accept(let sleep):
      return accept(for: sleep, in: &state) ? 1 : 0
    case .startPass(let stretch, _):
      try runPass(upTo: stretch, in: &state)
      return 0
    default:
      state.inboxIsClosed = true
      for poster in posters where isPending(state.entry(of: poster)) {
        state.setEntry(of: poster, .released)
      }
      return 0
    }
  }

  var posters: ClosedRange<Int> { 1...scenario.posts.count }

  func post(of poster: Int) -> Post { scenario.posts[poster - 1] }

  private func isPending(_ entry: WorldState.Entry) -> Bool { entry == .posted || entry == .held }

  private mutating func append(by poster: Int, in state: inout WorldState) -> Bool {
    guard !state.inboxIsClosed || fault == .appendedToClosedInbox else {
      state.setEntry(of: poster, .refused)
      return fault == .refusalNotTold
    }
    if fault == .appendedWithoutBarrier {
      put(BufferedStore(target: .inbox, value: 0), by: poster, in: &state)
    } else {
      state.setEntry(of: poster, .posted)
    }
    return true
  }

  private func accept(for sleep: Sleep, in state: inout WorldState) -> Bool {
    var isConcerned = false
    for poster in posters where state.entry(of: poster) == .posted {
      state.setEntry(of: poster, .held)
      if post(of: poster).concerns(sleep) || fault == .lookIgnoresMode { isConcerned = true }
    }
    if fault == .lookIgnoresMode {
      return isConcerned || posters.contains { state.entry(of: $0) == .held }
    }
    return isConcerned
  }

  /// The pass after a sleep, in its mode, and the one before the next, in that one's mode.
  private func runPass(upTo stretch: Int, in state: inout WorldState) throws(Violation) {
    let sleeps = scenario.sleeps[max(0, stretch - 1)..<min(stretch + 1, scenario.sleeps.count)]
    for poster in posters {
      let entry = state.entry(of: poster)
      if fault == .inboxTakenTwice, entry == .run {
        throw Violation(.accounted, "the entry of poster \(poster) is run twice")
      }
      guard isPending(entry) else { continue }
      let runs = sleeps.contains { post(of: poster).concerns($0) }
      state.setEntry(of: poster, runs ? .run : .held)
    }
  }
}
