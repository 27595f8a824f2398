/// What a thread did between two looks at it.
struct ThreadUse: Equatable, Sendable {
  /// From look to look, ns.
  var window: UInt64 = 0
  /// On a processor.
  var cpu: UInt64 = 0
  /// In line for one.
  var queued: UInt64 = 0
  /// How often it went to sleep, and how often it lost the processor to another.
  var voluntarySwitches: UInt64 = 0
  var involuntarySwitches: UInt64 = 0

  /// Whether it was not asleep at either look.
  var wantedToRun = false

  /// Neither on a processor nor in line for one.
  var offCPU: UInt64 { window > cpu &+ queued ? window - cpu - queued : 0 }
  /// Whether it ran at all, or was woken.
  var hasMoved: Bool { cpu > 0 || voluntarySwitches > 0 || involuntarySwitches > 0 }

  init(window: UInt64 = 0, cpu: UInt64 = 0, queued: UInt64 = 0) {
    self.window = window
    self.cpu = cpu
    self.queued = queued
  }

  init(from before: ThreadMoment, to now: ThreadMoment) {
    // A counter that went back is another thread's, under the number of one that is gone.
    func grown(_ counter: KeyPath<ThreadTimes, UInt64>) -> UInt64 {
      let (later, earlier) = (now.times[keyPath: counter], before.times[keyPath: counter])
      return later > earlier ? later - earlier : 0
    }
    window = now.time - min(now.time, before.time)
    cpu = min(window, grown(\.cpuNanoseconds))
    voluntarySwitches = grown(\.voluntarySwitches)
    involuntarySwitches = grown(\.involuntarySwitches)
    let counted = grown(\.runnableNanoseconds)
    wantedToRun = before.state == "R" && now.state == "R"
    if voluntarySwitches == 0, wantedToRun {
      // The kernel counts a thread's time in line when it leaves the line. One that wanted to run all the time was in
      // line for whatever it did not run.
      queued = window - cpu
    } else if voluntarySwitches == 0, before.isAsleep, now.isAsleep {
      // And some kernels leave one in line for a while that has gone to sleep.
      queued = 0
    } else {
      queued = min(window - cpu, counted)
    }
  }

  /// The part of it after a wait, of a pass that has lasted for `length`: before it, the thread did nothing.
  ///
  /// - Parameter isRunnable: whether the thread wants to run now. If it has not gone to sleep since the wait, it wanted to all
  ///   along.
  func sinceWait(of length: UInt64, isRunnable: Bool) -> ThreadUse {
    var use = self
    use.window = min(window, length)
    use.cpu = min(cpu, use.window)
    use.wantedToRun = isRunnable && voluntarySwitches <= 1
    use.queued = use.wantedToRun ? use.window - use.cpu : min(queued, use.window - use.cpu)
    return use
  }

  /// Without time in which everything stood still, and the thread with it.
  func without(_ standstill: UInt64) -> ThreadUse {
    var use = self
    use.window -= min(standstill, window - min(window, cpu))
    // What looked like time in line may have been it.
    use.queued = min(queued, use.window - min(use.window, cpu))
    return use
  }

  /// Without time that the program declared to be a wait: most of it the thread did not run.
  func withoutPause(_ paused: UInt64) -> ThreadUse {
    var use = self
    let waited = min(paused, offCPU)
    let ran = min(paused - waited, use.cpu)
    use.window -= waited + ran
    use.cpu -= ran
    return use
  }

  static func += (sum: inout ThreadUse, part: ThreadUse) {
    sum.window &+= part.window
    sum.cpu &+= part.cpu
    sum.queued &+= part.queued
    sum.voluntarySwitches &+= part.voluntarySwitches
    sum.involuntarySwitches &+= part.involuntarySwitches
  }
}

/// A thread's times at one moment.
struct ThreadMoment: Sendable {
  /// Just before they are read. Whoever reads may be stopped meanwhile: that is then in the window which begins here.
  var time: UInt64
  var times: ThreadTimes
  /// The scheduler's letter.
  var state: Character

  init(time: UInt64, times: ThreadTimes, state: Character) {
    self.time = time
    self.times = times
    self.state = state
  }

  /// Reads them; nil if there is no such thread.
  init?(thread: Int32, at time: UInt64) {
    guard let status = ThreadStatus(thread: thread), let times = ThreadTimes(thread: thread, status: status)
    else {
      return nil
    }
    self.init(time: time, times: times, state: status.state)
  }

  var isAsleep: Bool { state == "S" || state == "D" }

  /// Whether something holds the thread: a stop signal or a debugger.
  var isStopped: Bool { state == "T" || state == "t" }
}
