import LinuxKernel
public import Mainspring

/// Time that passes only where everything waits for it: for tests of asynchronous code, see ``withVirtualTime(patience:_:)``.
public struct VirtualTime: Sendable {
  /// The loop that carries the test: actors on its `executor` and tasks that prefer its `taskExecutor` take part.
  public let loop: RunLoop
  private let poller: JumpingPoller
  private let begin: RunLoop.Instant
  private let jumpsBefore: Int

  package init(_ loop: RunLoop, _ poller: JumpingPoller) {
    self.loop = loop
    self.poller = poller
    begin = RunLoop.Instant(nanoseconds: poller.now())
    jumpsBefore = poller.jumpCount
  }

  /// The clock to give to the code under test. Any thread.
  public var clock: RunLoop.LoopClock { loop.clock }

  /// How much virtual time has passed, to the nanosecond. Any thread.
  public var elapsed: Duration { begin.duration(to: RunLoop.Instant(nanoseconds: poller.now())) }

  /// How often time was let go on: once for each date that something was waited for, however far away. Any thread.
  public var jumpCount: Int { poller.jumpCount - jumpsBefore }

  /// The calling task's, if it is on virtual time already. Not the thread's: others may be waiting for their turn there.
  @TaskLocal package static var ofThisTask: VirtualTime?

  /// The same time, seen from now on.
  package var anew: VirtualTime { VirtualTime(loop, poller) }

  /// Calls a closure that is on this time, and so is what it begins.
  package func carrying<Value: Sendable>(
    _ body: (VirtualTime) async throws -> Value
  ) async throws -> Value {
    try await Self.$ofThisTask.withValue(self) { try await body(self) }
  }
}

/// Runs an asynchronous closure on virtual time, and returns what it returns: an hour of its sleeps passes in milliseconds,
/// exactly.
///
/// ```swift
/// import MainspringTesting
///
/// func testOfAnHour() async throws {
///   try await withVirtualTime { time in
///     try await time.clock.sleep(for: .seconds(3600))
///     precondition(time.elapsed == .seconds(3600))
///   }
/// }
/// ```
///
/// The closure runs on a thread of its own with a loop of its own, which is `RunLoop.current` there and which its tasks
/// prefer: functions that belong to no actor, child tasks and actors on the loop run there one at a time, in an order
/// that is the same in each run. While any of them can go on, time stands still. Where all wait, it jumps to the next
/// date that a timer of the loop is armed for: a sleep of `time.clock` or of the loop, a tick, a timer. The closure has the
/// caller's task-local values, and is cancelled with it. In another closure of this kind it runs on the time of that.
///
/// What runs elsewhere takes part in no virtual time, and time does not wait for it: the main actor, other actors, detached
/// tasks and `Task { }` outside the loop's actors, `Task.sleep`. `MainspringTestingMainActor` has all of these take part.
/// Descriptors are real, and looked at before each jump.
///
/// - Parameters:
///   - patience: how long, really, to wait where no timer is armed and only what runs elsewhere, or a descriptor, can bring
///     something.
///   - body: the closure. Loops on virtual time end with it: let its tasks finish before.
/// - Throws: what the closure throws; ``StuckError`` if nothing could happen any more, after which the closure's task is
///   cancelled and its thread stays until it has ended.
public func withVirtualTime<Value: Sendable>(
  patience: Duration = .seconds(10), _ body: @escaping @Sendable (VirtualTime) async throws -> Value
) async throws -> Value {
  if let time = VirtualTime.ofThisTask { return try await body(time.anew) }
  let poller = JumpingPoller()
  let loop = RunLoop(poller: poller, isMain: false, onThread: 0)
  poller.loop = loop
  let (ended, answer) = (RunLoop.Token(), Answer<Value>())
  // Its first job waits for the thread. A task of this one's kind: task-local values are known in it.
  let task = Task(executorPreference: loop.taskExecutor) { @concurrent in
    defer { ended.signal() }
    return try await VirtualTime(loop, poller).carrying(body)
  }
  return try await withTaskCancellationHandler {
    try await answer.awaited {
      try NativeThread.start(named: "virtual time", stackBytes: 8 << 20) {
        loop.carryVirtualTime(poller, patience: patience, until: ended) { waiting in
          answer.give(.failure(StuckError(waiting: waiting)))
          task.cancel()
        }
        // On a thread of the pool, or wherever the caller belongs.
        Task.detached { answer.give(await task.result) }
      }
    }
  } onCancel: {
    task.cancel()
  }
}

extension RunLoop {
  /// Makes the calling thread the loop's, and runs it on frozen time until the token is signalled, and then ends it.
  fileprivate func carryVirtualTime(
    _ poller: JumpingPoller, patience: Duration, until ended: Token,
    onStuck: @escaping (_ waiting: String) -> Void
  ) {
    bindToThisThread()
    ThreadLoops.ofThisThread.push(self)
    poller.freeze(patience: patience) { waiting in
      // Whoever waits for the answer is not of this time.
      self.keepsTasks = false
      onStuck(waiting)
      self.keepsTasks = true
    }
    keepsTasks = true
    // Stops are the body's.
    while !ended.isSignalled { run(until: ended) }
    keepsTasks = false
    poller.thaw()
    end()
    ThreadLoops.ofThisThread.remove(self)
  }
}
