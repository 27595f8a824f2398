/// The states found so far, in the order of being found, without doubles.
struct StateTable {
  private(set) var states: [WorldState] = []
  /// Open addressing: the number of a state plus one, or zero. Its size is a power of two.
  private var slots = [UInt32](repeating: 0, count: 1 << 12)

  /// The number of the state, and whether it is new.
  mutating func insert(_ state: WorldState) -> (number: Int, isNew: Bool) {
    if states.count &* 2 > slots.count { grow() }
    var slot = firstSlot(of: state)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) &- 1
      if states[number] == state { return (number, false) }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    states.append(state)
    slots[slot] = UInt32(states.count)
    return (states.count &- 1, true)
  }

  private func firstSlot(of state: WorldState) -> Int {
    Int(truncatingIfNeeded: state.hash) & (slots.count &- 1)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 4)
    for number in states.indices {
      var slot = firstSlot(of: states[number])
      while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
      slots[slot] = UInt32(number &+ 1)
    }
  }
}
