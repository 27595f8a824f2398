import Mainspring

/// An actor on a loop.
actor LoopActor {
  nonisolated let executor: RunLoop.ActorExecutor
  // SAFETY: the actor holds the executor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
  private(set) var words: [String] = []

  init(_ executor: RunLoop.ActorExecutor) { self.executor = executor }

  func say(_ word: String) { words.append(word) }

  /// In the middle of the actor's code.
  func call(_ body: @Sendable () -> Void) { body() }
}

extension RunLoop {
  /// A task whose jobs come from this thread, one after the other and in order: whatever it does, no other thread has a
  /// part in it.
  @discardableResult
  func task(in mode: Mode = .common, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: taskExecutor(in: mode)) { @concurrent in await body() }
  }
}
