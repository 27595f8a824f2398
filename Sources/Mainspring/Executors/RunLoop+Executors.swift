import Synchronization

extension RunLoop {
  /// The loop as the executor of actors, in its common modes. Any thread.
  ///
  /// - Complexity: O(1); made at the first call. An actor should hold it rather than ask at each hop.
  public var executor: ActorExecutor { executors.common.serial }

  /// The loop as the executor that tasks prefer, in its common modes. Any thread.
  public var taskExecutor: PreferenceExecutor { executors.common.task }

  /// The loop as the executor of actors whose jobs run in runs of that mode alone. Any thread.
  ///
  /// It is another executor than that of another mode: a hop between their actors goes through the queue.
  public func executor(in mode: Mode) -> ActorExecutor { executors.pair(self, in: mode).serial }

  /// The loop as the executor that tasks prefer, for runs of that mode alone. Any thread.
  public func taskExecutor(in mode: Mode) -> PreferenceExecutor { executors.pair(self, in: mode).task }

  /// Lets the runs that `body` begins run jobs of executors, although they are nested in one that does.
  ///
  /// A nested run leaves jobs alone otherwise: other code of an actor would run in the middle of code of the same actor
  /// that does not await anything. Here the caller says that this is a place where it may, as an `await` would. Runs that
  /// are nested in those leave them alone again. Only on the loop's thread.
  public func servingJobs<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    requireOwnThread(to: "serve the jobs of")
    let depthBefore = jobDepth
    jobDepth = runDepth + 1
    defer { jobDepth = depthBefore }
    return try body()
  }

  private var executors: LoopExecutors {
    if let present = executorReference.object { return present }
    let made = executorReference.setIfUnset(LoopExecutors(self))
    tellThread(to: made.common.gate)
    return made
  }

  /// Tells a gate that others may see already whose thread is the loop's, and if it has ended.
  func tellThread(to gate: JobGate) {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    gate.noteThread(ownThread)
  }

  /// The thread is known from now on.
  func tellThreadToGates() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    executorReference.object?.forEachGate { $0.noteThread(ownThread) }
  }
}
