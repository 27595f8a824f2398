import Mainspring

/// Who takes part: the loop's thread, or one of the posters.
struct Actor {
  /// Zero is the loop; poster *n* is actor *n*.
  let index: Int
  let scenario: Scenario
  let fault: Fault?

  /// What the actor has come to after the results it saw.
  enum Position {
    case before(Step)
    /// Done; what a poster was told.
    case done(told: Bool)
  }

  /// Runs stretch `stretch` of the actor against the results of its steps so far.
  func position(inStretch stretch: Int, after results: [UInt32]) -> Position {
    let machine = ExploredMachine(results: results, fault: fault)
    do throws(NextStep) {
      if index == 0 {
        try loop(from: stretch, on: machine)
        return .done(told: true)
      }
      return .done(told: try post(scenario.posts[index - 1], on: machine))
    } catch {
      return .before(error.step)
    }
  }

  private func post(_ post: Post, on machine: ExploredMachine) throws(NextStep) -> Bool {
    guard try machine.append() else { return fault == .refusalNotTold }
    switch fault {
    case .masksIgnored: try machine.ringIfAsleep(in: .all)
    case .masksEmpty: try machine.ringIfAsleep(in: .none)
    default: try machine.ringIfAsleep(in: post.modes)
    }
    return true
  }

  /// The loop from its `stretch`-th sleep to the start of the next pass; or its end, after the last sleep.
  private func loop(from stretch: Int, on machine: ExploredMachine) throws(NextStep) {
    guard stretch < scenario.sleeps.count else { return try end(on: machine) }
    let sleep = scenario.sleeps[stretch]
    if sleep.medium == .host { return try beHosted(sleep, stretch, on: machine) }
    let slept = try machine.sleep(as: sleep.code) { () throws(NextStep) in
      try machine.look(before: sleep, how: scenario.look)
    } wait: { () throws(NextStep) in
      try machine.wait(on: sleep)
    }
    try machine.startPass(stretch: slept == nil ? stretch : stretch + 1, rung: slept?.rung)
  }

  /// The same where the loop leaves its sleep to a host, which looks at the descriptor and takes nothing from it.
  private func beHosted(
    _ sleep: Sleep, _ stretch: Int, on machine: ExploredMachine
  ) throws(NextStep) {
    if fault != .ringsTakenAfterLook { try machine.takeRings(of: sleep) }
    let isDown = try machine.lieDown(as: sleep.code) { () throws(NextStep) in
      try machine.look(before: sleep, how: scenario.look)
    }
    guard isDown else { try machine.startPass(stretch: stretch, rung: nil) }
    if fault == .ringsTakenAfterLook { try machine.takeRings(of: sleep) }
    try machine.wait(on: sleep)
    try machine.rise()
    try machine.startPass(stretch: stretch + 1, rung: nil)
  }

  private func end(on machine: ExploredMachine) throws(NextStep) {
    if fault == .doorShutFirst {
      try machine.shutDoor()
      try machine.closeInbox()
    } else {
      try machine.closeInbox()
      try machine.shutDoor()
    }
  }
}
