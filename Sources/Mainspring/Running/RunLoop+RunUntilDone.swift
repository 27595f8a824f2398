import LinuxKernel
import Synchronization

extension RunLoop {
  /// Runs the loop until an asynchronous closure is done, and returns what it returns.
  ///
  /// ```swift
  /// let loop = RunLoop.current
  /// let answer = try loop.runUntilDone {
  ///   try await loop.sleep(for: .milliseconds(10))
  ///   return 42
  /// }
  /// print(answer)
  /// ```
  ///
  /// The closure runs on the loop's thread, as a task that prefers the loop (``taskExecutor``) and has the caller's task-local
  /// values; so do its child tasks. Timers, sources and whatever else is in the mode go on meanwhile, and so do jobs of
  /// executors, for to wait here is what an `await` is: also where the run is nested (M13).
  ///
  /// Stops of the innermost run are passed over. Where the run ends before the closure does, its task is cancelled, and what
  /// is left of it goes on whenever the loop runs again. Only on the loop's thread.
  ///
  /// - Parameters:
  ///   - mode: what to run in. Sleeps of the loop and the jobs of its executors belong to the common modes: in another mode
  ///     the closure itself runs, and what it hands to those waits.
  ///   - limit: how long at most, on the loop's monotonic clock.
  /// - Throws: what the closure throws; ``UnfinishedError`` if the run ended first.
  /// - Precondition: on the loop's thread, and not in `.common`.
  @available(*, noasync, message: "it blocks the thread that tasks share; await the closure instead")
  public func runUntilDone<Value: Sendable>(
    in mode: Mode = .default, for limit: Duration? = nil, _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    requireOwnThread(to: "run")
    let (token, outcome) = (Token(), Locked<Swift.Result<Value, any Error>?>(nil))
    let executor = commonModes.contains(mode) ? taskExecutor : taskExecutor(in: mode)
    let task = Task(executorPreference: executor) { @concurrent in
      let result: Swift.Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      token.signal()
    }
    token.waits(for: self)
    let run = servingJobs {
      self.run(in: mode, limit: limit, [.waitsWhenEmpty, .goesOnAfterStops], until: .token(token))
    }
    if let result = outcome.withLock({ $0 }) { return try result.get() }
    task.cancel()
    throw run.reason == .timedOut ? UnfinishedError.limitPassed : .stopped
  }

  /// Why a run ended before the closure that it was to wait for.
  public enum UnfinishedError: Error, Equatable {
    /// A stop of all runs met it.
    case stopped
    /// The limit passed.
    case limitPassed
  }
}

extension MainRunLoop {
  /// As `RunLoop.runUntilDone(in:for:_:)`.
  @available(*, noasync, message: "it blocks the thread that tasks share; await the closure instead")
  public func runUntilDone<Value: Sendable>(
    in mode: RunLoop.Mode = .default, for limit: Duration? = nil,
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    try base.runUntilDone(in: mode, for: limit, body)
  }
}
