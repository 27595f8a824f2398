import Mainspring

/// Decides from what a watcher sees whether a loop is stuck: a pure function of readings, of the time, of how long
/// everything stood still, and of what the loop's thread did.
///
/// A stall is a pass, or the rest of one after a nested run, that lasts for the threshold. What is taken off it: time in
/// which everything stood still, time that the program declared to be a wait that is meant, and, where that is much of
/// the pass, time in which its thread was ready to run and got no processor. A pass that is a stall only by the last is
/// the host's fault, and is told as such.
struct StallDetector: Sendable {
  let limits: Limits
  private(set) var candidate: Candidate?

  /// The lengths, ns, from which on something is told.
  struct Limits: Sendable, Equatable {
    var threshold: UInt64
    /// That of passes before the loop's first wait.
    var launch: UInt64
    /// That of passes that were short of a processor; nil tells none.
    var starvation: UInt64?

    init(threshold: UInt64, launch: UInt64? = nil, starvation: UInt64? = nil) {
      precondition(threshold > 0, "a threshold of nothing would call every pass a stall")
      self.threshold = threshold
      self.launch = launch ?? threshold
      self.starvation = starvation
    }
  }

  /// Suspicion comes at this share of the threshold, so that samples from before it are at hand.
  static let suspicionShare = 0.4

  /// A pass that has not ended yet.
  struct Candidate: Equatable, Sendable {
    var progress: UInt32
    /// When it began, ns, monotonic.
    var start: UInt64
    /// When the watcher first saw it.
    var firstSeen: UInt64
    /// Time in it that does not count: of standstill …
    var excluded: UInt64 = 0
    /// … and declared.
    var paused: UInt64 = 0
    /// Time in it that its thread was in line for a processor.
    var queued: UInt64 = 0
    var isLaunch = false
    var isConfirmed = false

    func counted(at now: UInt64) -> UInt64 {
      let elapsed = now > start ? now - start : 0
      return elapsed - min(elapsed, excluded &+ paused)
    }

    /// Whether so much of it was spent in line for a processor that it would not be a stall without.
    func isStarved(at now: UInt64, threshold: UInt64) -> Bool {
      let counted = counted(at: now)
      return queued >= counted / 3 && counted - min(counted, queued) < threshold
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
    /// A stall began and ended between two looks.
    case missed(Candidate, LongStretch)
    /// A pass ended that nobody need know of.
    case passed

    /// Whether a stall is over by it.
    var isEnd: Bool {
      switch self {
      case .ended, .missed: true
      default: false
      }
    }
  }

  /// One look at the loop.
  struct Look: Sendable {
    var reading: Reading
    var now: UInt64
    /// Long stretches that ended since the look before, oldest first.
    var ended: [LongStretch] = []
    /// For how long everything stood still, ns, and how long ago, at most, that began.
    var standstill: UInt64 = 0
    var window: UInt64 = 0
    /// How long the loop's thread was in line for a processor since the look before, ns.
    var queued: UInt64 = 0
    /// Both for passes that ended since, which lie before the one that is on: nil where they are the same.
    var before: (standstill: UInt64, queued: UInt64)?

    var standstillBefore: UInt64 { before?.standstill ?? standstill }
    var queuedBefore: UInt64 { before?.queued ?? queued }
  }

  init(_ limits: Limits) { self.limits = limits }

  /// When, in time that counts, a pass begins to be suspect.
  var suspicion: UInt64 { UInt64(Double(limits.threshold) * Self.suspicionShare) }

  mutating func judge(_ look: Look) -> [Verdict] {
    var verdicts: [Verdict] = []
    var ended = look.ended
    let reading = look.reading
    if let former = candidate, !reading.isBusy || reading.progress != former.progress {
      let record = ended.firstIndex { $0.progress == former.progress }.map { ended.remove(at: $0) }
      verdicts.append(end(of: former, record, look))
      candidate = nil
    }
    verdicts += ended.compactMap { missed($0, look) }
    guard reading.isBusy else { return verdicts }
    if candidate == nil {
      candidate = Candidate(progress: reading.progress, start: start(of: look), firstSeen: look.now)
      candidate!.isLaunch = !reading.hasWaited
      verdicts.append(.began)
    }
    update(&candidate!, look)
    return verdicts + grade(&candidate!, at: look.now)
  }

  private func update(_ candidate: inout Candidate, _ look: Look) {
    let length = look.now > candidate.start ? look.now - candidate.start : 0
    candidate.excluded += min(look.standstill, length)
    candidate.queued += min(look.queued, length)
    candidate.paused = min(look.reading.paused, length)
  }

  private func grade(_ candidate: inout Candidate, at now: UInt64) -> [Verdict] {
    var verdicts: [Verdict] = []
    if candidate.counted(at: now) >= suspicion { verdicts.append(.suspected) }
    if !candidate.isConfirmed, isStall(candidate, at: now) {
      candidate.isConfirmed = true
      verdicts.append(.confirmed)
    }
    return verdicts
  }

  /// Whether a pass that lasts, or lasted, until `now` is to be told.
  private func isStall(_ candidate: Candidate, at now: UInt64) -> Bool {
    let counted = candidate.counted(at: now)
    let threshold = threshold(of: candidate)
    guard counted >= threshold else { return false }
    if !candidate.isStarved(at: now, threshold: threshold) { return true }
    return limits.starvation.map { counted >= $0 } ?? false
  }

  func threshold(of candidate: Candidate) -> UInt64 {
    candidate.isLaunch ? limits.launch : limits.threshold
  }

  /// How long until the pass that is on is suspect, or past its threshold, if it goes on; nil if it is past both.
  func timeToNextGrade(at now: UInt64) -> UInt64? {
    guard let candidate, !candidate.isConfirmed else { return nil }
    let counted = candidate.counted(at: now)
    return [suspicion, threshold(of: candidate)].filter { $0 > counted }.min().map { $0 - counted }
  }

  /// Takes out the pass that is being watched: there is nothing to be read any more.
  mutating func takeCandidate() -> Candidate? {
    defer { candidate = nil }
    return candidate
  }

  /// A loop that was busy before it was watched has no stamp: its pass counts from the first look.
  private func start(of look: Look) -> UInt64 {
    let since = look.reading.since
    if since == 0 || since > look.now { return look.now }
    // A loop that was found out to be busy later than it began says so: its stamp lies in the past, and is meant to.
    return look.reading.shownSince > since ? since : notBeforeLastLook(since, look)
  }

  /// The stamp of a pass that was not on at the look before. One that is older than that look was made by a loop which was
  /// then kept from showing the pass, by a standstill that has been counted already or by other work of the processor's.
  private func notBeforeLastLook(_ stamp: UInt64, _ look: Look) -> UInt64 {
    look.window == 0 ? stamp : max(stamp, look.now - min(look.window, look.now))
  }

  // MARK: ends

  /// - Parameter record: what the loop wrote of the pass, if it was long.
  private func end(of former: Candidate, _ record: LongStretch?, _ look: Look) -> Verdict {
    var ended = former
    let end = min(record?.end ?? latestEnd(of: former, look), look.now)
    ended.excluded += overlap(from: ended.start, to: end, look)
    if let record { ended.paused = record.paused }
    // In line it was for the pass, or for what came after; what came after is short, or the record would be another's.
    ended.queued += min(look.queuedBefore, end > ended.start ? end - ended.start : 0)
    if former.isConfirmed { return .ended(ended, at: end) }
    guard record != nil, isStall(ended, at: end) else { return .passed }
    ended.isConfirmed = true
    return .ended(ended, at: end)
  }

  /// Without a record, a pass ended with the stamp of the next, if that is the next; a loop that ends makes none.
  private func latestEnd(of former: Candidate, _ look: Look) -> UInt64 {
    let isNext = look.reading.progress == former.progress &+ 1 && look.reading.since > former.start
    return isNext ? look.reading.since : look.now
  }

  private func missed(_ stretch: LongStretch, _ look: Look) -> Verdict? {
    let start = min(notBeforeLastLook(stretch.start, look), stretch.end)
    var candidate = Candidate(
      progress: stretch.progress, start: start, firstSeen: look.now,
      excluded: overlap(from: start, to: stretch.end, look), paused: stretch.paused,
      queued: min(look.queuedBefore, stretch.end - start), isLaunch: !look.reading.hasWaited)
    guard isStall(candidate, at: stretch.end) else { return nil }
    candidate.isConfirmed = true
    return .missed(candidate, stretch)
  }

  /// How much of a span that is over may lie in the time of standstill before the look.
  private func overlap(from start: UInt64, to end: UInt64, _ look: Look) -> UInt64 {
    let window = max(look.standstillBefore, look.window)
    let from = max(start, look.now - min(window, look.now))
    return min(look.standstillBefore, end > from ? end - from : 0)
  }
}
