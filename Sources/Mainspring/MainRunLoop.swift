/// The main thread's loop, which takes closures of the main actor as they are.
///
/// What runs on the main loop runs on the main thread, so that a `@MainActor` closure is called without a hop. What
/// is not here is asked of ``base``. Any thread, except for the runs, which are the main thread's.
public struct MainRunLoop: Sendable {
  /// The loop itself, for what is not special to the main one.
  public let base: RunLoop

  init(base: RunLoop) {
    self.base = base
    base.bindIfOnMainThread()
  }

  /// Queues a block for a mode and wakes the loop if it sleeps there. Any thread.
  ///
  /// - Returns: false if the loop has ended; the block will not run.
  @discardableResult
  public func perform(
    in mode: RunLoop.Mode, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @MainActor @Sendable () -> Void
  ) -> Bool {
    base.perform(in: mode, file: file, line: line) { MainActor.assumeIsolated(block) }
  }

  /// Performs a block of the main actor on the main loop and waits for what it returns, as
  /// `RunLoop.performAndWait(in:for:_:)`.
  @available(*, noasync, message: "waiting blocks the thread that tasks share; await MainActor.run instead")
  public func performAndWait<Value: Sendable>(
    in mode: RunLoop.Mode, for limit: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @MainActor @Sendable () throws -> Value
  ) throws -> Value {
    try base.performAndWait(in: mode, for: limit, file: file, line: line) {
      try MainActor.assumeIsolated(block)
    }
  }

  /// Makes a timer that fires at every interval on the monotonic clock, first one interval from now, and adds it.
  @discardableResult
  public func addTimer(
    every interval: Duration, to mode: RunLoop.Mode = .common, file: StaticString = #fileID,
    line: UInt = #line,
    handler: @escaping @MainActor @Sendable (RunLoop.Timer) -> Void
  ) -> RunLoop.Timer {
    let timer = RunLoop.Timer(every: interval, file: file, line: line) { timer in
      MainActor.assumeIsolated { handler(timer) }
    }
    base.add(timer, to: mode)
    return timer
  }

  /// Makes a timer that fires once after a delay on the monotonic clock, and adds it.
  @discardableResult
  public func addTimer(
    after delay: Duration, to mode: RunLoop.Mode = .common, file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @MainActor @Sendable (RunLoop.Timer) -> Void
  ) -> RunLoop.Timer {
    let timer = RunLoop.Timer(after: delay, file: file, line: line) { timer in
      MainActor.assumeIsolated { handler(timer) }
    }
    base.add(timer, to: mode)
    return timer
  }

  /// Makes an observer and adds it.
  @discardableResult
  public func addObserver(
    of activities: RunLoop.Activity, repeats: Bool = true, order: Int = 0, to mode: RunLoop.Mode = .common,
    file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @MainActor @Sendable (RunLoop.Observer, RunLoop.Activity) -> Void
  ) -> RunLoop.Observer {
    let observer = RunLoop.Observer(activities, repeats: repeats, order: order, file: file, line: line) {
      observer, activity in MainActor.assumeIsolated { handler(observer, activity) }
    }
    base.add(observer, to: mode)
    return observer
  }

  /// As `RunLoop.add(_:to:)`.
  @discardableResult
  public func add(_ item: RunLoop.Item, to mode: RunLoop.Mode) -> Bool { base.add(item, to: mode) }

  /// As `RunLoop.add(_:to:)` for descriptor sources.
  public func add(_ source: RunLoop.DescriptorSource, to mode: RunLoop.Mode) throws(RunLoop.DescriptorError) {
    try base.add(source, to: mode)
  }

  /// As `RunLoop.remove(_:from:)`.
  public func remove(_ item: RunLoop.Item, from mode: RunLoop.Mode) { base.remove(item, from: mode) }

  /// As `RunLoop.run()`.
  @discardableResult
  public func run() -> RunLoop.RunResult { base.run() }

  /// As `RunLoop.run(in:for:returnAfterSourceHandled:whenEmpty:)`.
  @discardableResult
  public func run(
    in mode: RunLoop.Mode, for limit: Duration? = nil, returnAfterSourceHandled: Bool = false,
    whenEmpty: RunLoop.EmptyPolicy = .finish
  ) -> RunLoop.RunResult {
    base.run(in: mode, for: limit, returnAfterSourceHandled: returnAfterSourceHandled, whenEmpty: whenEmpty)
  }

  /// As `RunLoop.stop(_:)`.
  @discardableResult
  public func stop(_ scope: RunLoop.StopScope = .innermost) -> Bool { base.stop(scope) }

  /// As `RunLoop.wakeUp()`.
  public func wakeUp() { base.wakeUp() }
}

extension RunLoop {
  /// The main loop is made before anybody knows whether the main thread will come by.
  func bindIfOnMainThread() {
    if ownThread == 0, ThreadLoops.isOnMainThread { _ = ThreadLoops.ofThisThread.current }
  }
}
