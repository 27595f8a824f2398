import CommandLineOptions
import Workbench

/// Runs a plan over and over, as often as asked and as the budget allows.
struct Session {
  let plan: Plan
  let program: PeerProgram
  let repetitionsMax: Int
  let budget: Duration

  /// What takes longer than this is run once.
  private static let slow: Duration = .seconds(2)

  /// - Returns: What was measured, and in how many whole repetitions.
  func run() throws(ChildProcess.StartError) -> (samples: Samples, repetitions: Int) {
    var samples = Samples()
    let hog = try Hog()
    let start = SuspendingClock.now
    for repetition in 0..<repetitionsMax {
      let began = SuspendingClock.now
      repeatOnce(repetition, hog, &samples)
      let now = SuspendingClock.now
      let (elapsed, one) = (start.duration(to: now), began.duration(to: now))
      if !StandardStream.error.canRedraw {
        StandardStream.error.writeLine("bench: repetition \(repetition + 1) took \(Int(one / .seconds(1))) s")
      }
      // Only whole repetitions, so that each peer has as many.
      if elapsed + one > budget { return (samples, repetition + 1) }
    }
    return (samples, repetitionsMax)
  }

  private func repeatOnce(_ repetition: Int, _ hog: borrowing Hog, _ samples: inout Samples) {
    let steps = plan.steps(of: repetition)
    var progress = Progress(total: steps.count)
    defer { progress.end() }
    for (index, step) in steps.enumerated() {
      let key = Samples.Key(peer: step.peer, cell: step.cell, load: step.load)
      guard let peer = Peers.named(step.peer), program.isThere(peer), !samples.isOff(key) else { continue }
      if StandardStream.error.canRedraw {
        progress.show(
          index, "repetition \(repetition + 1), \(step.load.title): \(step.cell), \(step.peer)")
      }
      hog.set(step.load)
      let began = SuspendingClock.now
      let line = program.measure(step.cell, of: peer)
      samples.add(line, for: key, isSlow: began.duration(to: .now) > Self.slow)
    }
    hog.set(.idle)
  }
}
