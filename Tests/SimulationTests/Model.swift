import SimulationPrograms

/// A run loop written from the rules (M1–M41), for obviousness: arrays that are searched, and everything spelled out.
final class Model {
  var now = 0
  var items: [Item] = []
  var commonModes: Set<Program.Mode> = [.default, .tracking]
  var blocks: [ModelBlock] = []
  var runs: [ModelRun] = []
  /// Tells who called somebody that the loop was run in the callout.
  var runsBegun = 0
  var round = Round()
  var isWakeRequested = false
  var keptStop: (innermost: Bool, all: Bool) = (false, false)
  /// A stop of all runs holds until the last of them has ended.
  var isStoppingAll = false
  var signalledTokens: Set<Int> = []
  /// Those that a run has waited for: to signal one of these is to wake the loop.
  var awaitedTokens: Set<Int> = []
  let descriptors = DescriptorTable()
  /// Modes that wait as it is done where there are descriptors.
  var modesWithWaitSet: Set<Program.Mode> = []

  // What others did, when it happens, and what of it the loop has not looked at.
  var events: [(date: Int, body: () -> Void)] = []
  private var mail: [() -> Void] = []
  private(set) var isElsewhere = false
  var isRung = false

  private var lastNumber = 0

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// The number that was given last.
  var latestNumber: Int { lastNumber }

  func meaning(of mode: Program.Mode) -> Set<Program.Mode> { mode == .common ? commonModes : [mode] }

  // MARK: the loop's thread and others

  func actElsewhere(_ body: () -> Void) {
    isElsewhere = true
    body()
    isElsewhere = false
  }

  /// On the loop's thread done at once; from elsewhere sent, waking who sleeps in one of the modes.
  func change(concerning modes: Set<Program.Mode>, _ change: @escaping () -> Void) {
    isElsewhere ? send(concerning: modes, change) : change()
  }

  /// - Parameter modes: whom it wakes; nil stands for whoever sleeps.
  func send(concerning modes: Set<Program.Mode>?, _ change: @escaping () -> Void) {
    mail.append(change)
    ring(for: modes)
  }

  func ring(for modes: Set<Program.Mode>?) {
    if let modes, let run = runs.last, !modes.contains(run.mode) { return }
    isRung = true
  }

  func acceptMail() {
    while !mail.isEmpty { mail.removeFirst()() }
  }
}
