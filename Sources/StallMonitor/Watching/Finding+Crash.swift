import LinuxKernel
import Mainspring
import StallReport
import Symbols

extension Finding {
  /// A crash as it is found: the stack that the thread crashed on, and those of all others.
  ///
  /// - Parameter loop: the one that runs on the thread, if it is watched.
  init(_ crash: CrashRescue.Crash, of loop: WatchedLoop?, _ limits: WatchLimits, _ samplers: Samplers) {
    let now = MonotonicClock.now()
    let reading = loop.flatMap { loop in crash.shown.map { Reading($0, at: now) } ?? loop.reading(at: now) }
    var open = OpenStall(
      firstSeen: crash.nanoseconds, thread: crash.thread,
      rhythm: SampleRhythm(tick: limits.tick, denseTime: limits.stall.threshold), tick: limits.tick)
    let stack = samplers.stacks.sample(crash)
    let shown = reading ?? Reading(progress: 0, since: 0, isBusy: true)
    let start = shown.since == 0 ? crash.nanoseconds : min(shown.since, crash.nanoseconds)
    open.noteCrash(stack, shown, at: crash.nanoseconds, passStart: start)
    open.takeProcess(stalled: crash.thread, with: samplers.process, length: 0, limits.bands) { true }
    self.init(
      loop: loop?.identity ?? LoopIdentity(number: 0, name: "none", kind: .custom, thread: crash.thread),
      subject: .crash(CrashFacts(crash)), start: start, excluded: 0, threshold: limits.stall.threshold,
      open: open, identifier: .random(), end: crash.nanoseconds, seenAt: now)
  }
}

extension OpenStall {
  /// The one stack that a crash has.
  fileprivate mutating func noteCrash(
    _ stack: StackSample?, _ reading: Reading, at moment: UInt64, passStart: UInt64
  ) {
    noteCallout(reading, at: moment, passStart: passStart)
    confirmedAt = moment
    startUnix = .ofMonotonic(passStart)
    add(
      TimedSample(
        time: moment, excluded: 0, reading: reading, stack: stack,
        failure: stack == nil ? .failed(errorNumber: 0) : nil))
  }
}
