/// Decides from what a watcher sees whether a loop is stuck: a pure function of readings, of the time, and of how
/// late the watcher itself was.
///
/// A stall is a pass, or the rest of one after a nested run, that lasts for the threshold. The time by which the
/// watcher was late is not counted: if the watcher did not run, the loop may not have had the chance to, either
/// (a suspended machine, a stopped process, a starved processor). That holds for a pass that the watcher meets for
/// the first time as well: it began before the watcher was late, or while it was.
struct StallDetector: Sendable {
  let threshold: UInt64
  private(set) var candidate: Candidate?

  /// Suspicion comes at this share of the threshold, so that samples from before it are at hand.
  static let suspicionShare = 0.4
  /// Being late by less than this, ns, is the scheduler's everyday business.
  static let latenessGrace: UInt64 = 50_000_000

  /// A pass that has not ended yet.
  struct Candidate: Equatable, Sendable {
    var progress: UInt32
    /// When it began, ns, monotonic.
    var start: UInt64
    /// When the watcher first saw it.
    var firstSeen: UInt64
    /// Time in it that does not count.
    var excluded: UInt64 = 0
    var isConfirmed = false

    func counted(at now: UInt64) -> UInt64 {
      let elapsed = now > start ? now - start : 0
      return elapsed > excluded ? elapsed - excluded : 0
    }
  }

  /// What follows from a reading.
  enum Verdict: Equatable, Sendable {
    /// A new pass is being watched.
    case began
    /// Long enough to be looked at more closely.
    case suspected
    /// Past the threshold; told once.
    case confirmed
    /// A stall is over, at this time (ns, monotonic). It may not have been told before, if it was short.
    case ended(Candidate, at: UInt64)
    /// A pass ended that nobody need know of.
    case passed
  }

  init(threshold: UInt64) {
    precondition(threshold > 0, "a threshold of nothing would call every pass a stall")
    self.threshold = threshold
  }

  var suspicion: UInt64 { UInt64(Double(threshold) * Self.suspicionShare) }

  /// - Parameter lateness: by how much the watcher came later to this reading than it meant to, ns.
  mutating func judge(_ reading: Reading, now: UInt64, lateness: UInt64) -> [Verdict] {
    var verdicts: [Verdict] = []
    if let former = candidate, !reading.isBusy || reading.progress != former.progress {
      verdicts.append(end(of: former, reading, now, lateness))
      candidate = nil
    }
    guard reading.isBusy else { return verdicts }
    if candidate == nil {
      candidate = Candidate(progress: reading.progress, start: start(of: reading, now), firstSeen: now)
      verdicts.append(.began)
    }
    let late = min(lateness, candidate!.counted(at: now))
    if late > Self.latenessGrace { candidate!.excluded += late }
    let counted = candidate!.counted(at: now)
    if counted >= suspicion { verdicts.append(.suspected) }
    if counted >= threshold, !candidate!.isConfirmed {
      candidate!.isConfirmed = true
      verdicts.append(.confirmed)
    }
    return verdicts
  }

  /// Takes out the pass that is being watched: there is nothing to be read any more.
  mutating func takeCandidate() -> Candidate? {
    defer { candidate = nil }
    return candidate
  }

  /// A loop that was busy before it was watched has no stamp: its pass counts from the first look.
  private func start(of reading: Reading, _ now: UInt64) -> UInt64 {
    reading.since == 0 || reading.since > now ? now : reading.since
  }

  private func end(of former: Candidate, _ reading: Reading, _ now: UInt64, _ lateness: UInt64) -> Verdict {
    // The stamp is the end's only if it is not still that of the beginning: the end of a loop makes none.
    let isOfEnd =
      reading.progress != former.progress ? reading.since >= former.start : reading.since > former.start
    let end = isOfEnd && reading.since <= now ? reading.since : now
    var ended = former
    if lateness > Self.latenessGrace {
      // The part of the pass that lies in the time by which the watcher overslept.
      let punctual = now - min(lateness, now)
      ended.excluded += end > punctual ? min(end - punctual, end - min(end, former.start)) : 0
    }
    if ended.isConfirmed { return .ended(ended, at: end) }
    // Past the threshold between two looks. Only the very next stamp says when a pass ended; a later one is another's.
    guard isOfEnd, reading.progress == former.progress &+ 1, ended.counted(at: end) >= threshold else {
      return .passed
    }
    ended.isConfirmed = true
    return .ended(ended, at: end)
  }
}
