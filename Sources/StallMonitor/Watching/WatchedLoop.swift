import LinuxKernel
import Mainspring
import StallReport
import Synchronization

/// A loop that is watched, on the watcher's thread.
final class WatchedLoop {
  let number: Int
  var name: String
  let kind: Report.Loop.Kind
  /// Weak: the loop holds its beacon, so that a beacon that is gone means a loop that is gone.
  private(set) weak var beacon: Beacon?
  /// As of the latest look.
  private var thread: Int32 = 0
  private var detector: StallDetector
  private var saturation: SaturationWatch?
  private var open: OpenStall?
  private var identifier = Report.Identifier.random()
  /// Why the program said last that it waits.
  private var pauseReason: UInt = 0
  /// When the loop was looked at before, and what the watcher could not explain by then.
  private var lastLook: UInt64 = 0
  private var unexplainedBefore = Punctuality.Unexplained()
  /// What its thread had done at the look before.
  private var lastMoment: ThreadMoment?
  /// Whose it is.
  private var momentThread: Int32 = 0
  /// What the same thread had done at the look before the latest.
  private var momentBefore: ThreadMoment?
  /// What the loop puts on record, held for when it is gone, and how much of it has been looked at.
  private let records: StretchRecords
  private var recordsSeen: UInt64
  private let limits: WatchLimits
  /// How long its passes took, if they are counted; for when it is gone, as the records.
  private var lag: LagCounters?

  init(_ request: WatchRequest, _ limits: WatchLimits) {
    number = request.number
    name = request.name
    kind = request.kind
    beacon = request.beacon
    self.limits = limits
    detector = StallDetector(limits.stall)
    saturation = limits.saturation.map { SaturationWatch(threshold: $0) }
    records = request.beacon.records
    recordsSeen = request.recordsSeen
  }

  /// Whether it runs on this thread, by the kernel's number.
  func runs(onThread number: Int32) -> Bool { beacon?.thread.load(ordering: .relaxed) == number }

  /// What it shows now.
  func reading(at now: UInt64) -> Reading? { beacon.map { Reading($0, at: now) } }

  var isBusy: Bool {
    beacon.map { Beacon.State(rawValue: $0.state.load(ordering: .acquiring)).isBusy } ?? false
  }

  /// Whether it has to be looked at soon: it is busy, or was when it was looked at last and has an end to be told.
  var needsLook: Bool {
    detector.candidate != nil || saturation?.isOpen ?? false || isBusy || records.total != recordsSeen
  }

  /// Whether the loop is gone, and nothing of it is left to be told.
  var isOver: Bool {
    beacon == nil && detector.candidate == nil && !(saturation?.isOpen ?? false)
      && records.total == recordsSeen
  }

  /// How long until the pass that is on is suspect or a stall, ns; nil if there is none or it is.
  func timeToNextGrade(at now: UInt64) -> UInt64? { detector.timeToNextGrade(at: now) }

  /// Looks at the loop once.
  ///
  /// - Parameter clock: gives the time, and what the watcher knows of itself up to then.
  func look(_ samplers: Samplers, _ clock: () -> (now: UInt64, punctuality: Punctuality)) -> [Finding] {
    guard let beacon else { return end(at: clock().now, samplers) }
    thread = beacon.thread.load(ordering: .relaxed)
    if lag == nil { lag = beacon.lagCounters }
    let seen = see(beacon, clock)
    let (now, reading, punctuality) = (seen.now, seen.reading, seen.punctuality)
    pauseReason = beacon.pauseReason
    let lateness = punctuality.lateness(passBegan: reading.shownSince)
    var look = StallDetector.Look(reading: reading, now: now, ended: seen.ended)
    let whole = note(seen.moment)
    let use = part(of: whole, reading, at: now)
    look.standstill = standstill(punctuality, reading, use)
    let standstillBefore = standstill(punctuality, reading, whole)
    look.window = lastLook == 0 ? 0 : now - lastLook
    (lastLook, unexplainedBefore) = (now, punctuality.total)
    let ownUse = use?.without(look.standstill)
    // Of a thread that nothing is known of, the watcher stands for: if it had to wait for a processor, so had the loop.
    look.queued = ownUse?.queued ?? (look.ended.isEmpty ? 0 : punctuality.queued)
    look.before = (standstillBefore, whole?.without(standstillBefore).queued ?? look.queued)
    noteProgress(reading, ownUse, lateness: lateness, at: now)
    let verdicts = detector.judge(look)
    var findings = verdicts.flatMap { act(on: $0, look, ownUse, beacon, samplers) }
    findings += watchSaturation(look, verdicts, use, beacon, samplers)
    if !reading.isBusy { open = nil }
    return findings
  }

  // MARK: what is seen

  /// What belongs together: how long passes took says nothing without what their thread did in that time.
  private struct Sight {
    var now: UInt64
    var punctuality: Punctuality
    var reading: Reading
    var ended: [LongStretch]
    /// What the thread had done by then; nil if it does not matter or is not known.
    var moment: ThreadMoment?
  }

  /// Reads the beacon, the records and the thread's times; again, if the watcher lost its processor meanwhile.
  private func see(_ beacon: Beacon, _ clock: () -> (now: UInt64, punctuality: Punctuality)) -> Sight {
    var ended: [LongStretch] = []
    for attempt in 1... {
      let (now, punctuality) = clock()
      // The reading first: what it shows to be over has its record by then.
      let reading = Reading(beacon, at: now)
      ended += takeRecords(before: reading)
      let matters = thread != 0 && (reading.isBusy || detector.candidate != nil || !ended.isEmpty)
      let moment = matters ? ThreadMoment(thread: thread, at: now) : nil
      if attempt == Self.attemptsMax || MonotonicClock.now() - now < Self.sightTimeMax {
        return Sight(now: now, punctuality: punctuality, reading: reading, ended: ended, moment: moment)
      }
    }
    preconditionFailure("there is no end of numbers")
  }

  /// What takes longer than this, ns, is not of one moment.
  private static let sightTimeMax: UInt64 = 1_000_000
  private static let attemptsMax = 4

  // MARK: what the thread did

  /// Gives what it did since the look before.
  private func note(_ moment: ThreadMoment?) -> ThreadUse? {
    guard let moment else { return nil }
    defer { (lastMoment, momentThread) = (moment, thread) }
    momentBefore = momentThread == thread ? lastMoment : nil
    // Another thread's counters say nothing of this one's: a queue's blocks run on any.
    return momentBefore.map { ThreadUse(from: $0, to: moment) }
  }

  /// The part that belongs to the pass that is on, where it is seen for the first time.
  private func part(of use: ThreadUse?, _ reading: Reading, at now: UInt64) -> ThreadUse? {
    let isFirst = reading.isBusy && detector.candidate?.progress != reading.progress
    guard let use, let momentBefore, isFirst, reading.since > momentBefore.time, reading.since < now else {
      return use
    }
    return use.sinceWait(of: now - reading.since, isRunnable: lastMoment?.state == "R")
  }

  private func standstill(_ punctuality: Punctuality, _ reading: Reading, _ use: ThreadUse?) -> UInt64 {
    let unexplained = punctuality.unexplained(since: unexplainedBefore, passBegan: reading.shownSince)
    let stoodStill = Standstill.length(
      unexplained: unexplained, isStopped: punctuality.isStopped(since: unexplainedBefore), rest: limits.tick,
      use: use)
    // A stopped thread is kept from running by somebody, even where the watcher is not.
    guard lastMoment?.isStopped ?? false, let use else { return stoodStill }
    return max(stoodStill, use.window - min(use.window, use.cpu))
  }

  private func takeRecords(before reading: Reading) -> [LongStretch] {
    // What ended after the reading was made is left for the next look.
    let taken = records.read(after: recordsSeen).prefix {
      !(reading.isBusy && $0.stretch.progress == reading.progress)
    }
    if let last = taken.last { recordsSeen = last.number + 1 }
    return taken.map(\.stretch)
  }

  private func noteProgress(_ reading: Reading, _ use: ThreadUse?, lateness: UInt64, at now: UInt64) {
    guard let candidate = detector.candidate, reading.isBusy, reading.progress == candidate.progress else {
      return
    }
    open?.note(use, lateness: lateness)
    open?.noteCallout(reading, at: now, passStart: candidate.start)
  }

  // MARK: stalls

  private func act(
    on verdict: StallDetector.Verdict, _ look: StallDetector.Look, _ use: ThreadUse?, _ beacon: Beacon?,
    _ samplers: Samplers
  ) -> [Finding] {
    switch verdict {
    case .began:
      open = newOpenStall(at: look.now)
      open?.noteCallout(look.reading, at: look.now, passStart: detector.candidate?.start ?? look.now)
      open?.note(use, lateness: 0)
    case .suspected:
      guard let beacon else { break }
      if open?.clocks == nil { open?.clocks = .now }
      takeSample(look, beacon, samplers)
      return lookAround(look, beacon, samplers)
    case .confirmed:
      guard let candidate = detector.candidate else { break }
      noteConfirmed(candidate, at: look.now)
      samplers.process.noteTimes()
      return finding(of: candidate, end: nil, look.now)
    case .ended(let candidate, let end):
      if open?.confirmedAt == nil { noteConfirmed(candidate, at: look.now) }
      open?.noteEnd(at: end, callouts: look.ended.first { $0.progress == candidate.progress }?.callouts)
      defer { open = nil }
      return finding(of: candidate, end: end, look.now)
    case .missed(let candidate, let stretch):
      return missed(candidate, stretch, look)
    case .passed: open = nil
    }
    return []
  }

  private func newOpenStall(at now: UInt64) -> OpenStall {
    OpenStall(
      firstSeen: now, thread: thread,
      rhythm: SampleRhythm(tick: limits.tick, denseTime: 2 * limits.stall.threshold), tick: limits.tick)
  }

  private func takeSample(_ look: StallDetector.Look, _ beacon: Beacon, _ samplers: Samplers) {
    guard thread != 0, let candidate = detector.candidate, open?.rhythm.isDue(at: look.now) ?? false else {
      return
    }
    let limit = open?.answerTime(limits.answerLimit) ?? limits.answerLimit
    samplers.awaiting(atMost: limit) {
      open?.takeSample(
        of: look.reading, at: look.now, excluded: candidate.excluded + candidate.paused, thread: thread,
        with: samplers.stacks, timeout: .nanoseconds(Int64(limit))
      ) { beacon.progress == candidate.progress }
    }
  }

  /// Sees whom the thread waits for, and takes all threads where the stall has become severe, or is a deadlock: what is
  /// then known is told at once, since such a process may soon be no more.
  private func lookAround(
    _ look: StallDetector.Look, _ beacon: Beacon, _ samplers: Samplers
  ) -> [Finding] {
    guard thread != 0, let candidate = detector.candidate else { return [] }
    if lastMoment?.isAsleep ?? false { open?.noteWaits(of: thread, at: look.now, with: samplers.waits) }
    let isDeadlock = open?.deadlock != nil && open?.process == nil
    let length = candidate.counted(at: look.now)
    // Not before it is told: that comes first.
    guard open?.confirmedAt != nil, let isBandDue = open?.isBandDue(length, limits.bands),
      isDeadlock || isBandDue
    else { return [] }
    samplers.awaiting(atMost: ProcessSampler.budget.wholeNanoseconds) {
      open?.takeProcess(stalled: thread, with: samplers.process, length: length, limits.bands) {
        beacon.progress == candidate.progress
      }
    }
    return finding(of: candidate, end: nil, look.now)
  }

  private func noteConfirmed(_ candidate: StallDetector.Candidate, at now: UInt64) {
    identifier = .random()
    open?.confirmedAt = now
    open?.startUnix = .ofMonotonic(candidate.start)
  }

  private func missed(
    _ candidate: StallDetector.Candidate, _ stretch: LongStretch, _ look: StallDetector.Look
  ) -> [Finding] {
    // What is open belongs to the pass that is on, if any does.
    let present = (open, identifier)
    defer { (open, identifier) = present }
    open = newOpenStall(at: look.now)
    open?.noteUnseen(stretch)
    noteConfirmed(candidate, at: look.now)
    return finding(of: candidate, end: stretch.end, look.now)
  }

  private func finding(
    of candidate: StallDetector.Candidate, end: UInt64?, _ now: UInt64
  ) -> [Finding] {
    guard let open else { return [] }
    let threshold = detector.threshold(of: candidate)
    let isStarved = candidate.isStarved(at: end ?? now, threshold: threshold)
    let finding = Finding(
      loop: identity, subject: isStarved ? .starvedPass : .pass, start: candidate.start,
      excluded: candidate.excluded, paused: candidate.paused,
      pauseReason: candidate.paused > 0 ? pauseReason : 0, threshold: threshold,
      isLaunch: candidate.isLaunch, open: open, identifier: identifier, end: end, seenAt: now,
      lag: lag?.histogram)
    return [finding.withClocks]
  }

  var identity: LoopIdentity { LoopIdentity(number: number, name: name, kind: kind, thread: thread) }

  // MARK: saturation

  private func watchSaturation(
    _ look: StallDetector.Look, _ verdicts: [StallDetector.Verdict], _ use: ThreadUse?, _ beacon: Beacon,
    _ samplers: Samplers
  ) -> [Finding] {
    let isStalled = detector.candidate?.isConfirmed ?? false || verdicts.contains(where: \.isEnd)
    return saturation?.look(look, use, thread: thread, isStalled: isStalled, loop: identity) {
      open, excluded in
      guard thread != 0 else { return }
      samplers.awaiting(atMost: limits.answerLimit) {
        open.takeSample(
          of: look.reading, at: look.now, excluded: excluded, thread: thread, with: samplers.stacks,
          timeout: .nanoseconds(Int64(limits.answerLimit))
        ) { beacon.awakeSince.load(ordering: .acquiring) == look.reading.awakeSince }
      }
    } ?? []
  }

  // MARK: ends

  /// The loop is gone, and with it whatever its thread was stuck in. What it put on record before is still to be told.
  private func end(at now: UInt64, _ samplers: Samplers) -> [Finding] {
    let over = Reading(progress: (detector.candidate?.progress ?? 0) &+ 1, since: 0, isBusy: false)
    let look = StallDetector.Look(reading: over, now: now, ended: takeRecords(before: over))
    defer { (open, recordsSeen) = (nil, records.total) }
    let findings = detector.judge(look).flatMap { act(on: $0, look, nil, nil, samplers) }
    return findings + (saturation?.end(identity, at: now) ?? [])
  }

  /// What is still going on when the watcher leaves.
  func lastFindings(now: UInt64) -> [Finding] {
    let candidate = detector.candidate
    let stall = candidate?.isConfirmed ?? false ? finding(of: candidate!, end: nil, now) : []
    return stall + (saturation?.lastFinding(identity, now: now) ?? [])
  }
}
