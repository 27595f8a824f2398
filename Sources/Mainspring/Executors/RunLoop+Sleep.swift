import LinuxKernel

extension RunLoop {
  /// Suspends the task by a timer of the loop, in the loop's common modes. Any thread; the task goes on wherever it
  /// belongs.
  ///
  /// Unlike `Task.sleep`, a cancelled sleep leaves nothing behind: its timer leaves the loop at once, and from another
  /// thread as soon as the loop takes that in.
  ///
  /// - Parameters:
  ///   - duration: how long; nothing or less still passes through the loop.
  ///   - tolerance: how much longer it may take.
  ///   - clock: what it is counted on.
  /// - Throws: `CancellationError` if the task is or was cancelled; ``PerformError/loopEnded`` if the loop ends before, or
  ///   has ended.
  public func sleep(
    for duration: Duration, tolerance: Duration = .zero, on clock: TimerClock = .monotonic
  ) async throws {
    try await sleep(untilNanoseconds: date(after: duration, on: clock), tolerance: tolerance, on: clock)
  }

  /// The same until a date of the loop's monotonic clock.
  public func sleep(until date: Instant, tolerance: Duration = .zero) async throws {
    try await sleep(untilNanoseconds: date.nanoseconds, tolerance: tolerance, on: .monotonic)
  }

  private func sleep(untilNanoseconds date: UInt64, tolerance: Duration, on clock: TimerClock) async throws {
    let sleep = Sleep()
    let schedule = Timer.Schedule(date: date, clock: clock, tolerance: tolerance)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(sleep, continuation, schedule)
      }
    } onCancel: {
      sleep.cancel()
    }
  }

  private func begin(
    _ sleep: Sleep, _ continuation: CheckedContinuation<Void, any Error>, _ schedule: Timer.Schedule
  ) {
    let ticket = Sleep.Ticket(for: sleep)
    let timer = Timer(schedule, site: .unknown) { _ in ticket.use() }
    if sleep.begin(timer, continuation) { add(timer, to: .common) }
    // One that the loop did not take goes here, and its ticket with it.
  }

  /// Calls a closure once, by a timer in the common modes; says no if the loop has ended. Any thread.
  package func call(
    after delay: Duration, tolerance: Duration, on clock: TimerClock, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let schedule = Timer.Schedule(date: date(after: delay, on: clock), clock: clock, tolerance: tolerance)
    return add(Timer(schedule, site: .unknown) { _ in body() }, to: .common)
  }

  /// By the loop's own clocks, whatever the thread that asks has.
  private func date(after delay: Duration, on clock: TimerClock) -> UInt64 {
    Instant(nanoseconds: poller.now(on: clock)).advanced(by: delay).nanoseconds
  }
}

/// A task that sleeps by a loop's timer, and what becomes of it.
///
/// The timer's handler is the only owner of the ticket: one that goes unused says that the loop let go of its timer, by
/// its end.
private final class Sleep: Sendable {
  private let state = Locked(State.awake)

  private enum State {
    case awake
    case asleep(CheckedContinuation<Void, any Error>, RunLoop.WeakTimer)
    case over
  }

  /// Says whether the timer is to be added: the task may have been cancelled before.
  func begin(_ timer: RunLoop.Timer, _ continuation: CheckedContinuation<Void, any Error>) -> Bool {
    let begins = state.withLock { state in
      guard case .awake = state else { return false }
      state = .asleep(continuation, RunLoop.WeakTimer(timer))
      return true
    }
    if !begins { continuation.resume(throwing: CancellationError()) }
    return begins
  }

  func cancel() {
    guard case .asleep(let continuation, let timer) = end() else { return }
    timer.timer?.invalidate()
    continuation.resume(throwing: CancellationError())
  }

  private func wake() {
    if case .asleep(let continuation, _) = end() { continuation.resume() }
  }

  private func noteLoopEnded() {
    if case .asleep(let continuation, _) = end() {
      continuation.resume(throwing: RunLoop.PerformError.loopEnded)
    }
  }

  /// The first to end it decides what its task hears.
  private func end() -> State {
    state.withLock { state in
      defer { state = .over }
      return state
    }
  }

  final class Ticket: Sendable {
    private let sleep: Sleep

    init(for sleep: Sleep) { self.sleep = sleep }

    func use() { sleep.wake() }

    deinit { sleep.noteLoopEnded() }
  }
}

extension RunLoop {
  /// A timer that its loop keeps, and nobody else.
  fileprivate struct WeakTimer: Sendable {
    weak let timer: Timer?

    init(_ timer: Timer) { self.timer = timer }
  }
}

extension MainRunLoop {
  /// As `RunLoop.sleep(for:tolerance:on:)`.
  public func sleep(
    for duration: Duration, tolerance: Duration = .zero, on clock: RunLoop.TimerClock = .monotonic
  ) async throws {
    try await base.sleep(for: duration, tolerance: tolerance, on: clock)
  }

  /// As `RunLoop.sleep(until:tolerance:)`.
  public func sleep(until date: RunLoop.Instant, tolerance: Duration = .zero) async throws {
    try await base.sleep(until: date, tolerance: tolerance)
  }

  /// As `RunLoop.executor`.
  public var executor: RunLoop.ActorExecutor { base.executor }

  /// As `RunLoop.taskExecutor`.
  public var taskExecutor: RunLoop.PreferenceExecutor { base.taskExecutor }

  /// As `RunLoop.servingJobs(_:)`.
  public func servingJobs<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try base.servingJobs(body)
  }
}
