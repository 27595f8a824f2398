import Mainspring
import StallReport
import Synchronization

/// What tells a watched loop from others in reports.
struct LoopIdentity: Sendable {
  var number: Int
  var name: String
  /// The kernel's number of its thread, 0 while the thread has not come by.
  var thread: Int32
}

/// Something to be reported of a loop.
struct Finding: Sendable {
  var loop: LoopIdentity
  var candidate: StallDetector.Candidate
  var open: OpenStall
  var identifier: Report.Identifier
  /// When it ended, ns, monotonic; nil while it goes on.
  var end: UInt64?
  var seenAt: UInt64
  /// How often the watcher's thread woke until then.
  var wakeUps = 0
}

/// How late the watcher comes to a look.
enum Lateness {
  /// It overslept by so much, ns.
  case by(UInt64)
  /// A loop was to wake it as soon as a pass began.
  case sinceThePassBegan
}

/// A loop that is watched, on the watcher's thread.
final class WatchedLoop {
  let number: Int
  var name: String
  /// Weak: the loop holds its beacon, so that a beacon that is gone means a loop that is gone.
  private(set) weak var beacon: Beacon?
  /// As of the latest look.
  private var thread: Int32 = 0
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

  var isBusy: Bool {
    beacon.map { Beacon.State(rawValue: $0.state.load(ordering: .acquiring)).isBusy } ?? false
  }

  /// Whether it has to be looked at soon: it is busy, or was when it was looked at last and has an end to be told.
  var needsLook: Bool { detector.candidate != nil || isBusy }

  /// Whether the loop is gone, and nothing of it is left to be told.
  var isOver: Bool { beacon == nil && detector.candidate == nil }

  /// Looks at the loop once.
  func look(now: UInt64, lateness: Lateness, sampler: StackSampler) -> [Finding] {
    guard let beacon else { return end(at: now) }
    thread = beacon.thread.load(ordering: .relaxed)
    let reading = Reading(beacon)
    let lateness = nanoseconds(lateness, reading, now)
    var findings: [Finding] = []
    if let candidate = detector.candidate, reading.isBusy, reading.progress == candidate.progress {
      open?.noteCallout(reading, at: now, passStart: candidate.start)
    }
    for verdict in detector.judge(reading, now: now, lateness: lateness) {
      switch verdict {
      case .began:
        open = OpenStall(firstSeen: now, thread: thread, tick: tick)
        open?.noteCallout(reading, at: now, passStart: detector.candidate?.start ?? now)
      case .suspected:
        open?.noteTimes(at: now, lateness: lateness, thread: thread)
        if thread != 0, open?.rhythm.isDue(at: now) ?? false {
          open?.takeSample(of: reading, at: now, thread: thread, with: sampler) { Reading(beacon) }
        }
      case .confirmed:
        detector.candidate.map { noteConfirmed($0, at: now) }
        findings += finding(of: detector.candidate, end: nil, now)
      case .ended(let candidate, let end):
        if open?.confirmedAt == nil { noteConfirmed(candidate, at: now) }
        findings += finding(of: candidate, end: end, now)
        open = nil
      case .passed: open = nil
      }
    }
    return findings
  }

  private func noteConfirmed(_ candidate: StallDetector.Candidate, at now: UInt64) {
    identifier = .random()
    open?.confirmedAt = now
    open?.startUnix = .ofMonotonic(candidate.start)
  }

  private func nanoseconds(_ lateness: Lateness, _ reading: Reading, _ now: UInt64) -> UInt64 {
    switch lateness {
    case .by(let nanoseconds): nanoseconds
    case .sinceThePassBegan: reading.since != 0 && reading.since < now ? now - reading.since : 0
    }
  }

  /// The loop is gone, and with it whatever its thread was stuck in.
  private func end(at now: UInt64) -> [Finding] {
    let candidate = detector.takeCandidate()
    defer { open = nil }
    return candidate?.isConfirmed ?? false ? finding(of: candidate, end: now, now) : []
  }

  private func finding(
    of candidate: StallDetector.Candidate?, end: UInt64?, _ now: UInt64
  ) -> [Finding] {
    guard let candidate, let open else { return [] }
    return [
      Finding(
        loop: LoopIdentity(number: number, name: name, thread: thread), candidate: candidate, open: open,
        identifier: identifier, end: end, seenAt: now)
    ]
  }

  /// What is still going on when the watcher leaves.
  func lastFinding(now: UInt64) -> [Finding] {
    guard detector.candidate?.isConfirmed ?? false else { return [] }
    return finding(of: detector.candidate, end: nil, now)
  }
}
