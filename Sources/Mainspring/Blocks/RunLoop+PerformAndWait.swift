import LinuxKernel

extension RunLoop {
  /// Why a block that was to be waited for has no result.
  public enum PerformError: Error, Hashable, Sendable {
    /// The loop has ended, or ended before the block's turn came. The block did not run and will not.
    case loopEnded
    /// The limit passed. A block that had not begun will not run; one that had goes on, and its result is dropped.
    case limitPassed
    /// The loop waits, itself or through others, for the loop of the calling thread: both would wait for ever. The
    /// block did not run and will not.
    case wouldDeadlock
  }

  /// Performs a block on the loop's thread and waits for what it returns.
  ///
  /// On the loop's own thread it runs at once, whatever the mode. From another it is queued as by `perform(in:)`
  /// behind what was queued before, and wakes the loop if it sleeps in that mode. The calling thread's own loop does
  /// not run meanwhile. Waiting without a limit for a loop that never runs in the mode lasts for ever.
  ///
  /// - Parameter limit: how long to wait at most, by the kernel's monotonic clock; nil waits as long as it takes.
  /// - Returns: what the block returned.
  /// - Throws: what the block threw, or a `PerformError`.
  /// - Precondition: on another thread than the loop's, the loop is not on virtual time: it has one thread, which
  ///   cannot wait for itself.
  @available(
    *, noasync, message: "waiting blocks the thread that tasks share; use perform(in:) and a continuation"
  )
  public func performAndWait<Value: Sendable>(
    in mode: Mode, for limit: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    if isOnOwnThread { return try block() }
    require(!isOnVirtualTime, "a loop on virtual time has one thread, which cannot wait for itself")
    guard let wait = WaitingLoops.begin(for: self) else { throw PerformError.wouldDeadlock }
    let awaited = AwaitedBlock<Value>(wait)
    let deadline = limit.map { Instant.now.advanced(by: $0).nanoseconds }
    // A loop that has ended drops the ticket at once.
    perform(in: mode, file: file, line: line, Self.queued(AwaitedBlock.Ticket(for: awaited), block))
    switch awaited.outcome(until: deadline) {
    case .returned(let result): return try result.get()
    case .dropped: throw PerformError.loopEnded
    case .queued, .withdrawn, .running: throw PerformError.limitPassed
    }
  }

  /// In a function of its own, so that the ticket's only owner is what is queued.
  private static func queued<Value: Sendable>(
    _ ticket: consuming AwaitedBlock<Value>.Ticket, _ block: @escaping @Sendable () throws -> Value
  ) -> @Sendable () -> Void {
    let ticket = ticket
    return { ticket.block.run(block) }
  }

  /// Queues a block for a mode to be run after a delay, and gives its timer, which takes it back by `invalidate`.
  ///
  /// The delay counts from now on the monotonic clock, whenever the loop runs; one of zero or less is over. Any thread.
  ///
  /// - Returns: the block's timer, invalid if the loop has ended.
  @discardableResult
  public func perform(
    in mode: Mode, after delay: Duration, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable () -> Void
  ) -> Timer {
    let timer = Timer(after: delay, file: file, line: line) { _ in block() }
    if !add(timer, to: mode) { timer.invalidate() }
    return timer
  }
}

extension RunLoop.PerformError: CustomStringConvertible {
  /// What went wrong, in a few words.
  public var description: String {
    switch self {
    case .loopEnded: "the loop has ended"
    case .limitPassed: "the limit passed before the block had returned"
    case .wouldDeadlock: "the loop waits for the loop of this thread already: both would wait for ever"
    }
  }
}
