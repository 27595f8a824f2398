import Mainspring
import StallReport
import Synchronization

/// Watches one loop for saturation, and gathers what it does meanwhile.
struct SaturationWatch {
  private var detector: SaturationDetector
  private var open: OpenStall?
  private var identifier = Report.Identifier.random()

  init(threshold: UInt64) { detector = SaturationDetector(threshold: threshold) }

  /// Whether passes are being watched whose end has to be told, or at least noticed.
  var isOpen: Bool { detector.stretch != nil }

  /// - Parameters:
  ///   - use: what the loop's thread did since the look before.
  ///   - isStalled: whether a pass of the loop is stuck just now, or was since the look before.
  ///   - sample: takes a stack into what is given, if it is still of the stretch, of which so much does not count, ns.
  mutating func look(
    _ look: StallDetector.Look, _ use: ThreadUse?, thread: Int32, isStalled: Bool, loop: LoopIdentity,
    sample: (inout OpenStall, _ excluded: UInt64) -> Void
  ) -> [Finding] {
    if detector.stretch != nil { open?.note(use, lateness: 0) }
    var findings: [Finding] = []
    for verdict in detector.judge(look, isStalled: isStalled) {
      switch verdict {
      case .began:
        open = OpenStall(
          firstSeen: look.now, thread: thread,
          rhythm: SampleRhythm(tick: SampleRhythm.usualInterval, denseTime: 0),
          tick: SampleRhythm.usualInterval)
      case .suspected:
        if open?.clocks == nil { open?.clocks = .now }
        open?.noteCallout(look.reading, at: look.now, passStart: look.now)
        if open?.rhythm.isDue(at: look.now) ?? false { sample(&open!, detector.stretch?.excluded ?? 0) }
      case .confirmed:
        identifier = .random()
        open?.confirmedAt = look.now
        open?.startUnix = .ofMonotonic(detector.stretch!.start)
        findings += finding(of: detector.stretch, loop, end: nil, look.now)
      case .ended(let stretch, let end):
        findings += finding(of: stretch, loop, end: end, look.now)
        open = nil
      case .passed: open = nil
      }
    }
    return findings
  }

  private func finding(
    of stretch: SaturationDetector.Stretch?, _ loop: LoopIdentity, end: UInt64?, _ now: UInt64
  ) -> [Finding] {
    guard let stretch, let open else { return [] }
    let finding = Finding(
      loop: loop, subject: .saturation, start: stretch.start, excluded: stretch.excluded,
      threshold: detector.threshold, open: open, identifier: identifier, end: end, seenAt: now)
    return [finding.withClocks]
  }

  /// The loop is gone.
  mutating func end(_ loop: LoopIdentity, at now: UInt64) -> [Finding] {
    defer { open = nil }
    guard let stretch = detector.takeStretch(), stretch.isConfirmed else { return [] }
    return finding(of: stretch, loop, end: now, now)
  }

  /// What is still going on.
  func lastFinding(_ loop: LoopIdentity, now: UInt64) -> [Finding] {
    guard let stretch = detector.stretch, stretch.isConfirmed else { return [] }
    return finding(of: stretch, loop, end: nil, now)
  }
}
