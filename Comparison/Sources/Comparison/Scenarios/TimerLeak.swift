import Foundation
import Synchronization

import class Mainspring.RunLoop

/// What is left of timers that are over.
struct TimerLeak: Scenario {
  let name = "timer-leak"
  let title = "10,000 timers made and invalidated, and 1,000 that fired once: closures still in memory"
  let rules = Rules(38)

  private static let ended = 10_000
  private static let fired = 1_000

  /// What a timer's closure holds.
  private final class Probe: Sendable {
    static let living = Atomic(0)
    init() { Self.living.add(1, ordering: .relaxed) }
    deinit { Self.living.subtract(1, ordering: .relaxed) }
    func touch() {}
  }

  func play(_ side: Side, _ notes: Notes) {
    switch side {
    case .coreFoundation:
      for _ in 0..<Self.ended { foundationTimer(after: 3600).invalidate() }
      notes.note("alive_invalidated", Probe.living.load(ordering: .relaxed))
      for _ in 0..<Self.fired { _ = foundationTimer(after: 0) }
      CoreFoundationLoop.current.run(in: CoreFoundationLoop.defaultMode, for: .milliseconds(100))
    case .mainspring:
      for _ in 0..<Self.ended { mainspringTimer(after: .seconds(3600)).invalidate() }
      notes.note("alive_invalidated", Probe.living.load(ordering: .relaxed))
      for _ in 0..<Self.fired { _ = mainspringTimer(after: .zero) }
      MainspringLoop.current.run(in: MainspringLoop.defaultMode, for: .milliseconds(100))
    }
    notes.note("alive", Probe.living.load(ordering: .relaxed))
  }

  private func foundationTimer(after delay: TimeInterval) -> Timer {
    let probe = Probe()
    let timer = Timer(fire: Date(timeIntervalSinceNow: delay), interval: 0, repeats: false) { _ in
      probe.touch()
    }
    Foundation.RunLoop.current.add(timer, forMode: .default)
    return timer
  }

  private func mainspringTimer(after delay: Duration) -> RunLoop.Timer {
    let probe = Probe()
    let timer = RunLoop.Timer(after: delay) { _ in probe.touch() }
    RunLoop.current.add(timer, to: .default)
    return timer
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let invalidated = Int(try facts.number("alive_invalidated"))
    let fired = Int(try facts.number("alive")) - invalidated
    return Finding(
      "\(invalidated) of \(Self.ended) and \(fired) of \(Self.fired)", isRight: invalidated + fired == 0)
  }
}
