@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import LinuxKernel
internal import Mainspring
package import Synchronization

/// Whether the process has threads on virtual time: what they begin stays with their loops, and sleeps of others are not
/// the main loop's, whose time may jump.
package enum VirtualSleeps {
  /// Set before main, by `MainspringTestingMainActor`.
  package static let areAskedFor = Atomic<Bool>(false)
}

/// The default executor: jobs go on to the runtime's own pool of threads, sleeps become timers of the main loop.
///
/// All sleeps of tasks come here, wherever their tasks run. What comes is not the task that sleeps, but a small job that
/// wakes it, and so may run wherever the timer fires: the task goes on where it belongs. That job does not know whether
/// the sleep was cancelled meanwhile, and nobody says so: its timer stays until its date.
final class DefaultExecutor: TaskExecutor, SchedulingExecutor {
  private let pool = PlatformExecutorFactory.defaultExecutor
  private let loop: RunLoop

  init(_ loop: RunLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    if VirtualSleeps.areAskedFor.load(ordering: .relaxed), let loop = RunLoop.keeperOfThisThread {
      return loop.taskExecutor.enqueue(job)
    }
    pool.enqueue(job)
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    let isVirtual = VirtualSleeps.areAskedFor.load(ordering: .relaxed)
    let keeper = isVirtual ? RunLoop.keeperOfThisThread : nil
    guard let delay = delay as? Duration, let timerClock = Self.timerClock(clock), !isVirtual || keeper != nil
    else {
      guard let scheduler = pool as? any SchedulingExecutor else {
        trap("nobody can wait on the clock \(C.self)")
      }
      return scheduler.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    }
    let job = UnownedJob(job)
    let isAdded = (keeper ?? loop).call(
      after: delay, tolerance: tolerance as? Duration ?? .zero, on: timerClock
    ) {
      // SAFETY: the executor lives as long as the process.
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
    if !isAdded {
      trap(
        "a task sleeps by the timers of a loop that has ended, or is the parent's in a child that was made by fork"
      )
    }
  }

  /// The clock of timers that counts as one of the standard library's; nil for others.
  private static func timerClock(_ clock: some Clock) -> RunLoop.TimerClock? {
    switch clock {
    case is ContinuousClock: .boot
    case is SuspendingClock: .monotonic
    default: nil
    }
  }
}
