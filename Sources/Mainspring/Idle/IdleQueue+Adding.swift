import LinuxKernel

extension RunLoop.IdleQueue {
  /// Adds a task. Any thread.
  ///
  /// - Parameters:
  ///   - key: what it is known by. One of the same key that waits is replaced: by this one, in its place, if both are of one
  ///     priority and kind. One that is under way is cancelled.
  ///   - priority: which go first.
  ///   - onEnd: told on the loop's thread how it ended: once, unless the queue is invalidated before.
  ///   - task: called once.
  /// - Returns: nil if the queue is full, or invalid, or its loop has ended; the task will not be called.
  /// - Complexity: O(1), under the queue's lock, which is never held over a callout.
  @discardableResult
  public func add(
    key: Key? = nil, priority: Priority = .normal, onEnd: (@Sendable (Ending) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ task: @escaping @Sendable () throws -> Void
  ) -> Handle? {
    add(
      IdleTask(body: .once(task), key: key, priority: priority, site: CallSite(file, line), onEnd: onEnd))
  }

  /// Adds a task that is done in steps: called until it says that it is finished, each time with what is left of the turn.
  ///
  /// Otherwise as `add(key:priority:onEnd:_:)`. Between its steps it is the first of its priority.
  @discardableResult
  public func add(
    key: Key? = nil, priority: Priority = .normal, onEnd: (@Sendable (Ending) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    inSteps task: @escaping @Sendable (Slice) throws -> Progress
  ) -> Handle? {
    add(
      IdleTask(body: .steps(task), key: key, priority: priority, site: CallSite(file, line), onEnd: onEnd))
  }

  /// Adds an asynchronous task: begun in a turn of the queue, it goes on beside the loop, at a low priority of Swift's. That it
  /// has ended is told on the loop's thread. At most `asynchronousAtOnce` are under way.
  ///
  /// Otherwise as `add(key:priority:onEnd:_:)`. Cancelling one that is under way tells it, as `Task.cancel` does.
  @discardableResult
  public func add(
    key: Key? = nil, priority: Priority = .normal, onEnd: (@Sendable (Ending) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    asynchronous task: @escaping @Sendable () async throws -> Void
  ) -> Handle? {
    add(
      IdleTask(
        body: .asynchronous(task), key: key, priority: priority, site: CallSite(file, line), onEnd: onEnd))
  }

  /// Cancels the task of a key, as `Handle.cancel` does. Any thread.
  ///
  /// - Returns: false if there was none.
  @discardableResult
  public func cancel(key: Key) -> Bool { remove { $0.cancel(key, removed: &$1) } }

  /// Cancels all tasks: those that wait and those that are under way. Any thread.
  ///
  /// - Complexity: O(n).
  public func cancelAll() { _ = remove { $0.cancelAll(removed: &$1) } }

  private func add(_ task: IdleTask) -> Handle? {
    guard isValid, !(loop?.isClosed ?? false) else { return nil }
    let (capacity, whenFull) = (capacity, whenFull)
    let (place, removed) = tasks.withLock { tasks in
      var removed = IdleTasks.Removal()
      return (tasks.add(task, capacity: capacity, whenFull: whenFull, removed: &removed), removed)
    }
    removed.finish()
    guard let place else { return nil }
    workChanged()
    return Handle(self, place)
  }

  /// Makes a change that takes tasks out, and lets go of them once the lock is free.
  func remove(_ change: @Sendable (inout IdleTasks, inout IdleTasks.Removal) -> Bool) -> Bool {
    if isInherited { return false }
    let (isAny, removed) = tasks.withLock { tasks in
      var removed = IdleTasks.Removal()
      return (change(&tasks, &removed), removed)
    }
    removed.finish()
    if isAny { workChanged() }
    return isAny
  }

  func hasEnded(_ place: IdleTasks.Place) -> Bool { isInherited || tasks.withLock { !$0.contains(place) } }
}
