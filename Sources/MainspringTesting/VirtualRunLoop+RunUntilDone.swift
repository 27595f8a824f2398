public import Mainspring

extension VirtualRunLoop {
  /// Runs the loop until an asynchronous closure is done, and returns what it returns: `RunLoop.runUntilDone(in:for:_:)` on
  /// this time, with what is scripted.
  ///
  /// ```swift
  /// import MainspringTesting
  ///
  /// let virtual = VirtualRunLoop()
  /// let loop = virtual.loop
  /// try virtual.runUntilDone { try await loop.sleep(for: .seconds(3600)) }
  /// ```
  ///
  /// - Throws: what the closure throws; ``StuckError`` if the loop would sleep for ever, nothing being scripted;
  ///   `RunLoop.UnfinishedError` if a stop of all runs, or the limit, ended the run.
  @available(*, noasync, message: "it blocks the thread that tasks share; see withVirtualTime")
  public func runUntilDone<Value: Sendable>(
    in mode: RunLoop.Mode = .default, for limit: Duration? = nil,
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outer = poller.onStuck
    var waiting: String?
    poller.onStuck = { [loop] in
      waiting = loop.debugDescription
      loop.stop(.all)
    }
    defer { poller.onStuck = outer }
    do {
      return try loop.runUntilDone(in: mode, for: limit, body)
    } catch let error as RunLoop.UnfinishedError {
      guard let waiting else { throw error }
      throw StuckError(waiting: waiting)
    }
  }
}
