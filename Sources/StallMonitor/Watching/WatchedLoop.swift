import Mainspring
import StallReport
import Synchronization

/// A loop that is watched, on the watcher's thread.
final class WatchedLoop {
  let number: Int
  let name: String
  let beacon: Beacon
  private var detector: StallDetector
  private var open: OpenStall?
  private var identifier = Report.Identifier.random()
  private let tick: UInt64

  init(number: Int, name: String, beacon: Beacon, threshold: UInt64, tick: UInt64) {
    self.number = number
    self.name = name
    self.beacon = beacon
    self.tick = tick
    detector = StallDetector(threshold: threshold)
  }

  var thread: Int32 { beacon.thread.load(ordering: .relaxed) }
  var isBusy: Bool { Beacon.State(rawValue: beacon.state.load(ordering: .acquiring)).isBusy }

  /// Looks at the loop once.
  func look(now: UInt64, lateness: UInt64, sampler: StackSampler) -> [Finding] {
    let reading = Reading(beacon)
    var findings: [Finding] = []
    for verdict in detector.judge(reading, now: now, lateness: lateness) {
      switch verdict {
      case .began: open = OpenStall(firstSeen: now, thread: thread, tick: tick)
      case .suspected:
        open?.note(reading, at: now, lateness: lateness, thread: thread)
        sample(reading, now, sampler)
      case .confirmed:
        identifier = .random()
        open?.confirmedAt = now
        findings += finding(of: detector.candidate, end: nil, now)
      case .ended(let candidate, let end):
        findings += finding(of: candidate, end: end, now)
        open = nil
      case .passed: open = nil
      }
    }
    return findings
  }

  private func sample(_ reading: Reading, _ now: UInt64, _ sampler: StackSampler) {
    guard thread != 0, open?.rhythm.isDue(at: now) ?? false else { return }
    open?.takeSample(of: reading, at: now, thread: thread, with: sampler) { Reading(beacon) }
  }

  private func finding(of candidate: StallDetector.Candidate?, end: UInt64?, _ now: UInt64) -> [Finding] {
    guard let candidate, let open else { return [] }
    return [
      Finding(
        loopNumber: number, loopName: name, thread: thread, candidate: candidate, open: open,
        identifier: identifier, end: end, seenAt: now)
    ]
  }

  /// What is still going on when the watcher leaves.
  func lastFinding(now: UInt64) -> [Finding] {
    guard detector.candidate?.isConfirmed ?? false else { return [] }
    return finding(of: detector.candidate, end: nil, now)
  }
}
