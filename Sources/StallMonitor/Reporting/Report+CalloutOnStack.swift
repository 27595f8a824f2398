import StallReport

extension Report {
  /// For loops that do not mark their callouts: takes from the stacks which sort of callout was on for most of the time,
  /// and what it called.
  mutating func takePhaseFromStacks() {
    guard phase.item == nil || phase.item?.madeAt == nil, let (name, callee) = heaviestCallout else { return }
    let isObserver = name.rawValue.hasPrefix("observer:")
    if phase.name.rawValue.hasPrefix("observer:") {
      // Of an observer the beacon knows the activity, and the stack only that it is one.
      guard isObserver else { return }
      phase.source = .both
    } else {
      phase.name = name
      phase.source = .stack
    }
    var item = phase.item ?? Item(kind: isObserver ? "observer" : name.rawValue, madeAt: nil)
    item.symbol = callee.flatMap { stacks.frames[$0].symbol }
    phase.item = item
  }

  /// The innermost callout of the samples that has most of their time, and the frame that it called.
  private var heaviestCallout: (PhaseName, callee: Int?)? {
    var weights: [PhaseName: (weight: Duration, callee: Int?)] = [:]
    for sample in samples {
      guard let index = sample.stack, stacks.stacks.indices.contains(index) else { continue }
      let stack = stacks.stacks[index]
      for (position, frame) in stack.enumerated() {
        guard case .phase(let name) = stacks.frames[frame].kind else { continue }
        let callee = stack[..<position].last { stacks.frames[$0].isInApp && stacks.frames[$0].kind == nil }
        weights[name, default: (.zero, callee)].weight += max(sample.weight, .nanoseconds(1))
        break
      }
    }
    return weights.max { ($0.value.weight, $1.key.rawValue) < ($1.value.weight, $0.key.rawValue) }
      .map { ($0.key, $0.value.callee) }
  }
}
