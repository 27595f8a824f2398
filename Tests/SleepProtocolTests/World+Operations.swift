import Mainspring

/// What each operation does. All are atomic here; what a processor may delay is the stores.
extension World {
  mutating func perform(
    _ step: Step, by actor: Int, in state: inout WorldState
  ) throws(Violation) -> UInt32 {
    switch step.operation {
    case .load(let word):
      return read(word, by: actor, in: state)
    case .store(let value, let word):
      put(BufferedStore(target: .word(word), value: value), by: actor, in: &state)
      return 0
    case .exchange(let word, let value):
      let before = state[word]
      state[word] = value
      return before
    case .compareExchange(let word, let expected, let desired):
      guard state[word] == expected else { return 0 }
      state[word] = desired
      return 1
    case .compare(let word, let expected):
      return read(word, by: actor, in: state) == expected ? 1 : 0
    case .add(let amount, let word):
      let before = state[word]
      state[word] = before &+ amount
      return before
    case .wakeSleeper, .writeDescriptor, .closeDescriptor, .wait:
      return try call(step.operation, in: &state)
    case .takeRings(let sleep):
      state.setEdge(sleep.mode, false)
      return 0
    case .append, .peek, .accept, .startPass, .closeInbox:
      return try useInbox(step.operation, by: actor, in: &state)
    }
  }

  private func call(_ operation: Operation, in state: inout WorldState) throws(Violation) -> UInt32 {
    switch operation {
    case .wakeSleeper:
      // Only who sleeps on the word is woken; otherwise the wake is lost.
      if state.waiting == .blocked, let sleep = currentSleep(in: state), sleep.medium == .word {
        state.waiting = .woken
      }
    case .writeDescriptor:
      guard !state.descriptorIsClosed else {
        throw Violation(.noWriteAfterClose, "the number may belong to somebody else by now")
      }
      for sleep in scenario.sleeps where sleep.medium != .word { writeEdge(sleep.mode, in: &state) }
    default:
      guard !state.descriptorIsClosed else { throw Violation(.closedOnce, "closed twice") }
      state.descriptorIsClosed = true
    }
    return 0
  }

  /// The descriptor is in the wait set of every mode that has one, or in a host's set, and never read: a write is an edge.
  private func writeEdge(_ mode: Sleep.Mode, in state: inout WorldState) {
    if fault == .edgeForgotten {
      let sleep = currentSleep(in: state)
      guard state.waiting == .blocked, sleep?.medium != .word, sleep?.mode == mode else { return }
    }
    state.setEdge(mode, true)
  }

  /// Enters or leaves the wait; says whether the wait is over.
  func wait(on sleep: Sleep, in state: inout WorldState) -> Bool {
    switch sleep.medium {
    case .word:
      let isAsExpected = state[.sleep] == sleep.code.rawValue || fault == .futexDoesNotCompare
      if state.waiting == .no, isAsExpected {
        state.waiting = .blocked
        return false
      }
    case .descriptor, .host:
      if !state.hasEdge(sleep.mode) {
        state.waiting = .blocked
        return false
      }
      // A host takes nothing: the descriptor stays readable until the loop takes the rings.
      if sleep.medium == .descriptor { state.setEdge(sleep.mode, false) }
    }
    state.waiting = .no
    return true
  }

  /// The sleep that the loop waits in.
  func currentSleep(in state: WorldState) -> Sleep? {
    guard case .before(let step) = position(of: 0, in: state), case .wait(let sleep) = step.operation else {
      return nil
    }
    return sleep
  }
}
