/// Tells a loop that has not waited for long though its passes are short: it gets nowhere near idle, and whatever is not
/// ready each time its turn comes is late. A pure function, like `StallDetector`.
struct SaturationDetector: Sendable {
  /// From how long without a wait on, ns.
  let threshold: UInt64
  private(set) var stretch: Stretch?

  /// Passes without a wait between them.
  struct Stretch: Equatable, Sendable {
    /// When it began: with the end of a wait, or of a stall in it, ns.
    var start: UInt64
    /// The end of the wait that it began with, 0 if not known.
    var awakeSince: UInt64
    /// The progress that it was first seen at.
    var firstProgress: UInt32
    var excluded: UInt64 = 0
    var isConfirmed = false

    func counted(at now: UInt64) -> UInt64 {
      let elapsed = now > start ? now - start : 0
      return elapsed - min(elapsed, excluded)
    }
  }

  enum Verdict: Equatable, Sendable {
    case began
    case suspected
    case confirmed
    case ended(Stretch, at: UInt64)
    case passed
  }

  /// So many passes make it many: what is stuck in few is stalls.
  static let passesMin: UInt32 = 4

  init(threshold: UInt64) { self.threshold = threshold }

  var suspicion: UInt64 { UInt64(Double(threshold) * StallDetector.suspicionShare) }

  /// - Parameter isStalled: whether a pass of the loop is stuck just now, or was since the look before: its time is
  ///   told as a stall, and saturation counts anew from its end.
  mutating func judge(_ look: StallDetector.Look, isStalled: Bool) -> [Verdict] {
    let reading = look.reading
    var verdicts: [Verdict] = []
    if let former = stretch, !reading.isBusy || reading.awakeSince != former.awakeSince || isStalled {
      let next = reading.isBusy && reading.awakeSince != former.awakeSince ? reading.awakeSince : look.now
      verdicts.append(
        former.isConfirmed ? .ended(former, at: max(former.start, min(next, look.now))) : .passed)
      stretch = nil
    }
    guard reading.isBusy, !isStalled else { return verdicts }
    if stretch == nil {
      // After a stall in the same stretch, or where the last wait was before anybody watched, from here on.
      let isFresh = reading.awakeSince != 0 && lastAwake != reading.awakeSince
      stretch = Stretch(
        start: isFresh ? min(reading.awakeSince, look.now) : look.now, awakeSince: reading.awakeSince,
        firstProgress: reading.progress)
      lastAwake = reading.awakeSince
      verdicts.append(.began)
    }
    stretch!.excluded += min(look.standstill, look.now - min(look.now, stretch!.start))
    return verdicts + grade(look)
  }

  private var lastAwake: UInt64 = 0

  private mutating func grade(_ look: StallDetector.Look) -> [Verdict] {
    // Up to the pass that is on: if that is long, it is a stall.
    let since = look.reading.since
    let counted = stretch!.counted(at: since == 0 ? look.now : min(look.now, since))
    guard look.reading.progress &- stretch!.firstProgress >= Self.passesMin, counted >= suspicion else {
      return []
    }
    guard counted >= threshold, !stretch!.isConfirmed else { return [.suspected] }
    stretch!.isConfirmed = true
    return [.suspected, .confirmed]
  }

  mutating func takeStretch() -> Stretch? {
    defer { stretch = nil }
    return stretch
  }
}
