extension RunLoop {
  /// A loop as the executor of actors: what is isolated to them runs on the loop's thread, one at a time.
  ///
  /// ```swift
  /// actor Store {
  ///   private let executor: RunLoop.ActorExecutor
  ///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  ///
  ///   init(on loop: RunLoop) { executor = loop.executor }
  /// }
  /// ```
  ///
  /// Callouts of the loop are in the isolation of such an actor: `store.assumeIsolated { … }` in a timer's handler calls
  /// straight.
  ///
  /// There is one a loop and mode, got from ``RunLoop/executor`` or ``RunLoop/executor(in:)`` and kept by the loop. The
  /// runtime keeps no executor: an actor has to hold it, or the loop. Who holds it holds no more than it; the loop ends
  /// with its thread, and a job that is sent after that traps.
  public final class ActorExecutor: SerialExecutor {
    let gate: JobGate

    init(_ gate: JobGate) { self.gate = gate }

    /// Queues a job and wakes the loop if it sleeps in the mode. Any thread; called by the runtime.
    ///
    /// Traps if the loop has ended.
    public func enqueue(_ job: consuming ExecutorJob) { gate.enqueue(UnownedJob(job), .serial) }

    /// Traps, naming both threads, unless the calling thread is the loop's.
    public func checkIsolated() { gate.requireOwnThread() }

    /// Whether the calling thread is the loop's: never unknown.
    public func isIsolatingCurrentContext() -> Bool? { gate.isOnOwnThread }
  }
}
