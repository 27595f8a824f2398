import LinuxKernel
import Mainspring
import StallReport
import Synchronization

/// A serial executor that marks the beginning and the end of each job, so that the actors on it are watched.
///
/// It runs nothing itself: jobs go to whatever it was made on, one by one and in order. While no job runs it costs
/// nothing. A job that keeps its actor from others for the monitor's threshold is a stall of a loop of the kind
/// `executor`, with the job's stack.
///
///     actor Store {
///       nonisolated let executor: WatchedExecutor
///       nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///       …
///     }
public final class WatchedExecutor: SerialExecutor {
  /// Does a closure some time later, one after the other and in order.
  public typealias Submission = @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

  let marks: StallMonitor.LoopMarks
  private let submit: Submission
  /// Whether the caller is where the jobs are run, though it is none of them; nil where that is not known.
  private let isCurrent: @Sendable () -> Bool?
  /// The thread that runs a job, 0 while none does.
  private let worker = Atomic<UInt>(0)

  fileprivate init(
    _ marks: StallMonitor.LoopMarks, isCurrent: @escaping @Sendable () -> Bool?,
    submit: @escaping Submission
  ) {
    self.marks = marks
    self.isCurrent = isCurrent
    self.submit = submit
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    submit { [self] in
      // SAFETY: the closure holds the executor, and is called once, as a job is run.
      run { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  /// The same executor for tasks that prefer it: their jobs are run among those of the actors on it.
  public var taskExecutor: any TaskExecutor { WatchedTaskExecutor(self) }

  fileprivate func enqueueTaskJob(_ job: UnownedJob, on executor: WatchedTaskExecutor) {
    submit { [self] in
      // SAFETY: as above.
      run { unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    }
  }

  private static let word: StaticString = "job"

  private func run(_ job: () -> Void) {
    worker.store(ThreadIdentity.current, ordering: .relaxed)
    marks.willWork(Self.word)
    job()
    marks.willWait()
    worker.store(0, ordering: .relaxed)
  }

  public func isIsolatingCurrentContext() -> Bool? {
    worker.load(ordering: .relaxed) == ThreadIdentity.current ? true : isCurrent()
  }

  public func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on the executor whose actor it is")
  }
}

/// The other face of a watched executor: a job has to be run on the executor that it came by.
private final class WatchedTaskExecutor: TaskExecutor {
  private let executor: WatchedExecutor

  init(_ executor: WatchedExecutor) { self.executor = executor }

  func enqueue(_ job: consuming ExecutorJob) {
    executor.enqueueTaskJob(UnownedJob(job), on: self)
  }
}

extension StallMonitor {
  /// A watched executor whose jobs are done by `submit`: by a loop, a queue, a pool's event loop.
  ///
  /// - Parameters:
  ///   - name: the name that reports give.
  ///   - isCurrent: whether the caller is where `submit` does things, for `assumeIsolated` outside of jobs; nil where that
  ///     is not known.
  ///   - submit: does what it is given later, one after the other and in order, and never at once.
  public func makeExecutor(
    as name: String, isCurrent: @escaping @Sendable () -> Bool? = { nil },
    submit: @escaping WatchedExecutor.Submission
  ) -> WatchedExecutor {
    WatchedExecutor(marks(as: name), isCurrent: isCurrent, submit: submit)
  }

  /// A watched executor on another serial executor, which runs its jobs among its own.
  ///
  /// There is no way to give an executor anything but a task's job, so that each of these takes a task that is made for it
  /// and passes through the pool of threads: some microseconds. Where a closure can be given, the other
  /// `makeExecutor` is the cheaper one.
  public func makeExecutor(on base: any SerialExecutor, as name: String) -> WatchedExecutor {
    let pump = Pump(base)
    return WatchedExecutor(marks(as: name), isCurrent: { base.isIsolatingCurrentContext() }) { job in
      pump.jobs.withLock { $0.append(job) }
      // Tasks may come to the executor in any order: each does the job that is next, whichever it was made for.
      Task { await pump.runNext() }
    }
  }

  private func marks(as name: String) -> LoopMarks {
    let marks = watch(loopNamed: name, kind: .executor)
    // An executor has no start of its own: it waits for its first job.
    marks.willWait()
    return marks
  }
}

/// An actor on the executor that others' jobs are to be run on.
private actor Pump {
  let base: any SerialExecutor
  nonisolated let jobs = Locked(Line())

  /// What waits, in order. Taken from the end of a list that is turned round when it is used up.
  struct Line {
    private var leaving: [@Sendable () -> Void] = []
    private var arriving: [@Sendable () -> Void] = []

    mutating func append(_ job: @escaping @Sendable () -> Void) { arriving.append(job) }

    mutating func takeFirst() -> (@Sendable () -> Void)? {
      if leaving.isEmpty {
        leaving = arriving.reversed()
        arriving = []
      }
      return leaving.popLast()
    }
  }

  init(_ base: any SerialExecutor) { self.base = base }

  // SAFETY: the actor holds the executor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe base.asUnownedSerialExecutor() }

  func runNext() {
    let next = jobs.withLock { $0.takeFirst() }
    next?()
  }
}
