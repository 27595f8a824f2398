import LinuxKernel
import Mainspring
import StallReport
import Symbols

/// What is gathered while a pass that may be a stall goes on.
struct OpenStall: Sendable {
  let firstSeen: UInt64
  /// Asked while the thread is sure to be there.
  let threadName: String
  private(set) var samples: [TimedSample] = []
  private(set) var samplesDropped = 0
  private(set) var callouts: [CalloutSpan] = []
  /// How many callouts the pass has begun.
  private(set) var calloutCount: UInt64 = 0
  var rhythm: SampleRhythm
  /// When it passed the threshold.
  var confirmedAt: UInt64?
  /// The clocks when it was suspected first, and when it was confirmed.
  var clocks: ClockDistances?
  /// When it began by the wall clock; asked once, so that all states of a report give the same.
  var startUnix: Report.UnixTime?
  /// What the thread did from the first look to the latest in the pass.
  private(set) var use: ThreadUse?
  /// The most that the watcher was late during it, ns.
  private(set) var watcherLate: UInt64 = 0

  /// Whom the thread waits for, when it was last seen to wait for somebody.
  var chain: WaitChain?
  var deadlockWatch: DeadlockWatch
  var deadlock: [WaitChain.Link]?
  /// All threads, as taken last.
  var process: ProcessSample?
  var bandsTaken = 0

  /// A stack, and when it was taken.
  struct TimedSample: Sendable {
    var time: UInt64
    /// How much of the time until then does not count, ns.
    var excluded: UInt64
    var reading: Reading
    /// Nil where none could be taken.
    var stack: StackSample?
    /// The thread had not run since the sample before, so that its stack was not taken again.
    var isUnchanged = false
    /// Why there is none.
    var failure: CaptureError?
  }

  /// One callout as far as the watcher saw it.
  struct CalloutSpan: Sendable {
    var number: UInt64
    var reading: Reading
    var from: UInt64
    var to: UInt64

    /// A loop that counts no callouts is told apart by its phases.
    func isSame(as later: Reading) -> Bool {
      later.callouts != later.calloutsBefore || later.phase == reading.phase
    }
  }

  init(firstSeen: UInt64, thread: Int32, rhythm: SampleRhythm, tick: UInt64) {
    self.firstSeen = firstSeen
    deadlockWatch = DeadlockWatch(distance: max(1, tick))
    threadName = ThreadIdentity.name(ofThread: thread)
    self.rhythm = rhythm
  }

  /// Notes what the thread did since the look before, in the same pass.
  mutating func note(_ use: ThreadUse?, lateness: UInt64) {
    watcherLate = max(watcherLate, lateness)
    guard let use else { return }
    self.use = (self.use ?? ThreadUse())
    self.use! += use
  }

  /// Notes which callout the loop is in. The first that is seen is given the time since the pass began.
  mutating func noteCallout(_ reading: Reading, at now: UInt64, passStart: UInt64) {
    calloutCount = max(calloutCount, reading.callouts &- reading.calloutsBefore)
    if let last = callouts.indices.last { callouts[last].to = now }
    if let last = callouts.last, last.number == reading.callouts, last.isSame(as: reading) { return }
    let from = callouts.isEmpty ? min(passStart, now) : now
    callouts.append(CalloutSpan(number: reading.callouts, reading: reading, from: from, to: now))
    if callouts.count > Self.calloutsMax { callouts.remove(at: 1) }
  }

  /// The pass is over: what was the last callout to be seen may have lasted until then, if no other followed it.
  mutating func noteEnd(at end: UInt64, callouts total: UInt64?) {
    if let total { calloutCount = max(calloutCount, total) }
    guard let last = callouts.indices.last, end > callouts[last].to else { return }
    let seen = callouts[last].number &- callouts[last].reading.calloutsBefore
    if total == nil || total == seen { callouts[last].to = end }
  }

  /// Of a stretch that was not seen while it lasted.
  mutating func noteUnseen(_ stretch: LongStretch) {
    calloutCount = stretch.callouts
    let reading = Reading(
      progress: stretch.progress, since: stretch.start, isBusy: true, callouts: stretch.callouts,
      phase: .betweenCallouts, site: stretch.site, modeNumber: stretch.modeNumber, nesting: stretch.nesting)
    callouts = [CalloutSpan(number: stretch.callouts, reading: reading, from: stretch.start, to: stretch.end)]
  }

  /// Spans are kept up to here; of a flood the first and the latest tell enough.
  private static let calloutsMax = 256

  /// Takes the stack, unless the thread has not run since the last time; keeps it only if `isCurrent` still holds
  /// afterwards.
  mutating func takeSample(
    of reading: Reading, at now: UInt64, excluded: UInt64, thread: Int32, with sampler: StackSampler,
    timeout: Duration,
    isCurrent: () -> Bool
  ) {
    if samples.count >= SampleRhythm.countMax { thinOut() }
    if let stack = samples.last?.stack, stack.thread == thread, sampler.isUnmoved(since: stack) {
      samples.append(
        TimedSample(time: now, excluded: excluded, reading: reading, stack: stack, isUnchanged: true))
      return
    }
    let taken = Result { () throws(CaptureError) in try sampler.sample(thread: thread, timeout: timeout) }
    guard isCurrent() else {
      noteDropped()
      return
    }
    switch taken {
    case .success(let stack):
      samples.append(TimedSample(time: now, excluded: excluded, reading: reading, stack: stack))
    case .failure(let error):
      samples.append(TimedSample(time: now, excluded: excluded, reading: reading, failure: error))
    }
  }

  /// How long the thread may take to answer next, ns: longer each time that it has not, as it gets no processor.
  func answerTime(_ usual: UInt64) -> UInt64 {
    let failures = samples.reversed().prefix { $0.failure == .timedOut }.count
    return max(usual, min(Self.answerTimeMax, usual << UInt64(min(failures, 8))))
  }

  private static let answerTimeMax: UInt64 = 200_000_000

  /// Keeps a stack that was taken elsewhere.
  mutating func add(_ sample: TimedSample) { samples.append(sample) }

  /// Something was taken too late to be of the pass.
  mutating func noteDropped() { samplesDropped += 1 }

  /// Every second sample stands for its neighbour as well.
  private mutating func thinOut() {
    samples = samples.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    rhythm.slowDown()
  }
}
