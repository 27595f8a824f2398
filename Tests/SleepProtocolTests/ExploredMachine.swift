import Mainspring

/// The machine of the explorer: it plays back the results of an actor's earlier steps, and stops the
/// actor at the first step that has no result yet.
///
/// So an actor is an ordinary function, without a thread: its next step is found by running it again from
/// its start. A planted fault changes what a step does here, before anybody sees it.
final class ExploredMachine {
  private let results: [UInt32]
  private var next = 0
  let fault: Fault?
  /// Where the actor is within what it called last, for faults that move a step.
  private var movedLoad: UInt32?
  private var lookedBefore = false
  private var heldBackRing: BellStep?

  init(results: [UInt32], fault: Fault?) {
    self.results = results
    self.fault = fault
  }

  /// Does the step, or rather gives what it gave when it was done.
  @discardableResult
  func perform(_ operation: Operation, _ name: StepName) throws(NextStep) -> UInt32 {
    guard next < results.count else { throw NextStep(step: Step(name: name, operation: operation)) }
    next += 1
    return results[next - 1]
  }
}

/// Stops an actor: the step that it would do now.
struct NextStep: Error {
  let step: Step
}

extension ExploredMachine: BellMachine {
  func load(_ word: BellWord, _ step: BellStep) throws(NextStep) -> UInt32 {
    if fault == .skipped(step) { return 0 }
    if step == .glance, let early = movedLoad { return early }
    if step == .noticeRing, fault == .noticedAfterRise {
      try perform(.store(SleepCode.awake.rawValue, in: word), .bell(.rise))
    }
    return try perform(.load(word), .bell(step))
  }

  func store(_ value: UInt32, in word: BellWord, _ step: BellStep) throws(NextStep) {
    switch fault {
    case .skipped(step),
      .noticedAfterRise where !lookedBefore:
      return
    case .notRisenAfterLook where lookedBefore: return
    case .notRisenAfterWait where !lookedBefore: return
    default: try perform(.store(value, in: word), .bell(step))
    }
  }

  func exchange(_ word: BellWord, with value: UInt32, _ step: BellStep) throws(NextStep) -> UInt32 {
    switch fault {
    case .skipped(step), .announcedAfterLook:
      return 0
    case .announcedByStore:
      try perform(.store(value, in: word), .bell(step))
      return 0
    case .split(step):
      let before = try perform(.load(word), .bell(step))
      try perform(.store(value, in: word), .bell(step))
      return before
    default:
      return try perform(.exchange(word, with: value), .bell(step))
    }
  }

  func compareExchange(
    _ word: BellWord, _ expected: UInt32, _ desired: UInt32, _ step: BellStep
  ) throws(NextStep) -> Bool {
    switch fault {
    case .skipped(step):
      return false
    case .unchecked(step):
      try perform(.exchange(word, with: desired), .bell(step))
      return true
    case .unswapped(step):
      return try perform(.compare(word, expected), .bell(step)) != 0
    case .split(step):
      guard try perform(.load(word), .bell(step)) == expected else { return false }
      try perform(.store(desired, in: word), .bell(step))
      return true
    default:
      return try perform(.compareExchange(word, expected, desired), .bell(step)) != 0
    }
  }

  func add(_ amount: UInt32, to word: BellWord, _ step: BellStep) throws(NextStep) -> UInt32 {
    switch fault {
    case .skipped(step),
      .doorIgnored where step != .shutDoor:
      return try perform(.load(word), .bell(step))
    case .split(step):
      let before = try perform(.load(word), .bell(step))
      try perform(.store(before &+ amount, in: word), .bell(step))
      return before
    case .countIgnored(step):
      try perform(.add(amount, to: word), .bell(step))
      return step == .leaveDoor ? 1 << 31 | 1 : 0
    case .shutIgnored where step == .enterDoor:
      return try perform(.add(amount, to: word), .bell(step)) & ~(1 << 31)
    case .doorIgnoredWhenShut where step == .enterDoor:
      try perform(.add(amount, to: word), .bell(step))
      return 0
    default:
      let before = try perform(.add(amount, to: word), .bell(step))
      if step == .leaveDoor, let ring = heldBackRing { try perform(.writeDescriptor, .bell(ring)) }
      return before
    }
  }

  func wakeSleeper(_ step: BellStep) throws(NextStep) {
    if fault != .skipped(step) { try perform(.wakeSleeper, .bell(step)) }
  }

  func writeDescriptor(_ step: BellStep) throws(NextStep) {
    if fault == .rungOutsideDoor {
      heldBackRing = step
    } else if fault != .skipped(step) {
      try perform(.writeDescriptor, .bell(step))
    }
  }

  func closeDescriptor(_ step: BellStep) throws(NextStep) {
    if fault != .skipped(step) { try perform(.closeDescriptor, .bell(step)) }
  }
}

extension ExploredMachine {
  /// Whether the entry was accepted.
  func append() throws(NextStep) -> Bool {
    if fault == .glancedBeforeAppend { movedLoad = try perform(.load(.sleep), .bell(.glance)) }
    return try perform(.append, .append) != 0
  }

  /// Whether there is something to do instead of sleeping.
  func look(before sleep: Sleep, how: Scenario.Look) throws(NextStep) -> Bool {
    let found = try lookAtInbox(before: sleep, how: how)
    lookedBefore = found
    if fault == .announcedAfterLook {
      try perform(.exchange(.sleep, with: sleep.code.rawValue), .bell(.announceSleep))
    }
    return found
  }

  private func lookAtInbox(before sleep: Sleep, how: Scenario.Look) throws(NextStep) -> Bool {
    if fault == .lookSkipped { return false }
    switch how {
    case .locks: return try perform(.accept(for: sleep), .look) != 0
    case .peeks:
      guard try perform(.peek, .look) != 0 else { return false }
      return try perform(.accept(for: sleep), .look) != 0
    }
  }

  func takeRings(of sleep: Sleep) throws(NextStep) { try perform(.takeRings(of: sleep), .takeRings) }

  func wait(on sleep: Sleep) throws(NextStep) { try perform(.wait(on: sleep), .bell(.wait)) }

  /// Takes the inbox at the start of a pass. What comes after it is found by running stretch `stretch`.
  func startPass(stretch: Int, rung: Bool?) throws(NextStep) -> Never {
    throw NextStep(
      step: Step(name: .startPass, operation: .startPass(stretch: stretch, rung: rung)))
  }

  func closeInbox() throws(NextStep) {
    if fault != .inboxNotClosed { try perform(.closeInbox, .closeInbox) }
  }
}
