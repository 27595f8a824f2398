import LinuxKernel
import Mainspring
import StallReport
import Symbols

/// What is gathered while a pass that may be a stall goes on.
struct OpenStall: Sendable {
  let firstSeen: UInt64
  let timesAtFirst: ThreadTimes?
  /// Asked while the thread is sure to be there.
  let threadName: String
  private(set) var samples: [TimedSample] = []
  private(set) var samplesDropped = 0
  private(set) var callouts: [CalloutSpan] = []
  var rhythm: SampleRhythm
  /// When it passed the threshold.
  var confirmedAt: UInt64?
  /// When it began by the wall clock; asked once, so that all states of a report give the same.
  var startUnix: Report.UnixTime?
  /// The thread's times at the latest look, and how long after the first that was.
  private(set) var timesAtLast: ThreadTimes?
  private(set) var timesWindow: UInt64 = 0
  /// The most that the watcher was late during it, ns.
  private(set) var watcherLate: UInt64 = 0

  /// A stack and the time that it stands for.
  struct TimedSample: Sendable {
    var time: UInt64
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
  }

  init(firstSeen: UInt64, thread: Int32, tick: UInt64) {
    self.firstSeen = firstSeen
    timesAtFirst = ThreadTimes(thread: thread)
    threadName = ThreadIdentity.name(ofThread: thread)
    rhythm = SampleRhythm(tick: tick)
  }

  /// Notes what the thread has used up to now.
  mutating func noteTimes(at now: UInt64, lateness: UInt64, thread: Int32) {
    watcherLate = max(watcherLate, lateness)
    timesAtLast = ThreadTimes(thread: thread)
    timesWindow = now - firstSeen
  }

  /// Notes which callout the loop is in. The first that is seen is given the time since the pass began.
  mutating func noteCallout(_ reading: Reading, at now: UInt64, passStart: UInt64) {
    if let last = callouts.indices.last, callouts[last].number == reading.callouts {
      callouts[last].to = now
    } else {
      if let last = callouts.indices.last { callouts[last].to = now }
      let from = callouts.isEmpty ? min(passStart, now) : now
      callouts.append(CalloutSpan(number: reading.callouts, reading: reading, from: from, to: now))
      if callouts.count > Self.calloutsMax { callouts.remove(at: 1) }
    }
  }

  /// Spans are kept up to here; of a flood the first and the latest tell enough.
  private static let calloutsMax = 256

  /// Takes the stack, unless the thread has not run since the last time; keeps it only if the pass is still the
  /// one that was looked at.
  mutating func takeSample(
    of reading: Reading, at now: UInt64, thread: Int32, with sampler: StackSampler, check: () -> Reading
  ) {
    if let stack = samples.last?.stack, stack.thread == thread, sampler.isUnmoved(since: stack) {
      samples.append(TimedSample(time: now, reading: reading, stack: stack, isUnchanged: true))
      return
    }
    let taken = Result { () throws(CaptureError) in try sampler.sample(thread: thread) }
    guard check().progress == reading.progress else {
      samplesDropped += 1
      return
    }
    switch taken {
    case .success(let stack): samples.append(TimedSample(time: now, reading: reading, stack: stack))
    case .failure(let error): samples.append(TimedSample(time: now, reading: reading, failure: error))
    }
  }
}
