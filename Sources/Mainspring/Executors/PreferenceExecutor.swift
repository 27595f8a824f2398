extension RunLoop {
  /// A loop as the executor that tasks prefer: what is isolated to no actor runs on the loop's thread.
  ///
  /// ```swift
  /// let thread = try RunLoopThread(named: "worker")
  /// Task(executorPreference: thread.loop.taskExecutor) {
  ///   print("on the thread of the loop")
  /// }
  /// ```
  ///
  /// There is one a loop and mode, got from ``RunLoop/taskExecutor`` or ``RunLoop/taskExecutor(in:)`` and kept by the
  /// loop. A job that is sent after the loop's end traps.
  public final class PreferenceExecutor: TaskExecutor {
    // An object of its own: one for both protocols would have one `enqueue`, and could not tell the two kinds of jobs.
    let gate: JobGate

    init(_ gate: JobGate) { self.gate = gate }

    /// Queues a job and wakes the loop if it sleeps in the mode. Any thread; called by the runtime.
    ///
    /// Traps if the loop has ended.
    public func enqueue(_ job: consuming ExecutorJob) { gate.enqueue(UnownedJob(job), .task) }
  }
}
