import LinuxKernel

extension RunLoop {
  /// Work that waits until the loop has nothing else to do: done before it sleeps, in turns that are short.
  ///
  /// ```swift
  /// let loop = RunLoop.current
  /// let idle = RunLoop.IdleQueue()
  /// loop.add(idle, to: .common)
  /// idle.add(key: "cell 1") { print("the picture of cell 1") }
  /// idle.add(key: "cell 2") { print("the picture of cell 2") }
  /// idle.cancel(key: "cell 1")  // it has left the screen
  /// loop.perform(in: .default) { print("a block goes first") }
  /// loop.run()
  /// ```
  ///
  /// It prints
  ///
  /// ```text
  /// a block goes first
  /// the picture of cell 2
  /// ```
  ///
  /// The queue is an item of the loop: what is in it is done in the modes that it is added to. Its turn comes at
  /// beforeWaiting. It does tasks until its budget is used up, or a timer is due, or something was sent to the loop. What is
  /// left keeps the loop from sleeping: it looks for other work, serves it, and comes back to the queue. Neither input nor a
  /// timer is needed for the next turn. In each turn at least one task is begun.
  ///
  /// **Scrolling.** In the tracking mode it is `trackingBudget` that counts. With `frameTimeLeft`, which says for how long
  /// the loop is free in the frame that is on, a task is begun only if those before it would have fitted into what is left. Where
  /// nothing fits, the queue rests for as long: until the loop is woken, 4 ms at most. So that frames which never leave time
  /// do not starve it, one task is begun after 100 ms.
  ///
  /// **Order.** Higher priorities first, equal ones in the order of adding. A task whose key is that of a waiting one of its
  /// priority takes that one's place.
  ///
  /// **Threads.** Tasks may be added and cancelled on any thread; that wakes the loop if it sleeps in one of the queue's modes.
  /// They are called on the loop's thread. Asynchronous ones are begun in a turn, run where Swift's concurrency has them run,
  /// and are told to have ended on the loop's thread. A run that a task nests does not call the queue.
  ///
  /// Waiting tasks, and asynchronous ones that are under way, keep the queue's modes from being empty. Invalidating the
  /// queue, and the end of its loop, drop them without a word.
  public final class IdleQueue: Observer, @unchecked Sendable {
    // Sendable: as `Observer`; the tasks are behind one lock, what is marked as unchecked belongs to the loop's thread.
    /// How much is done in a turn.
    public let budget: Budget
    /// How much is done in a turn of the tracking mode.
    public let trackingBudget: Budget
    /// How many tasks may wait at most.
    public let capacity: Int
    /// What happens when another is added then.
    public let whenFull: Overflow
    /// How many asynchronous tasks are under way at most.
    public let asynchronousAtOnce: Int
    let tasks = Locked(IdleTasks())
    /// Since when the queue has rested without a task, ns; 0 if it does not.
    @safe @exclusivity(unchecked) var restingSince: UInt64 = 0
    /// How long tasks take, as far as is known: falls by and by, for the next may be shorter than the longest.
    @safe @exclusivity(unchecked) var usualLength: UInt64 = 0
    /// Ends the rest.
    @safe @exclusivity(unchecked) var alarm: RunLoop.Timer?

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - budget: how much is done in a turn.
    ///   - trackingBudget: how much is done in a turn while the loop runs in the tracking mode.
    ///   - capacity: how many tasks may wait; those that are under way do not count.
    ///   - whenFull: what happens when another is added then.
    ///   - asynchronousAtOnce: how many asynchronous tasks are under way at most.
    ///   - order: its place among the observers of beforeWaiting; see ``OrderNumber``.
    ///   - frameTimeLeft: asked at each turn in the tracking mode, on the loop's thread: for how long the loop is free in the
    ///     frame that is on. With a display link that is its `frameTimeLeft`, without what it takes to draw. Zero or less if
    ///     it is time to draw; nil if nothing is being shown.
    ///   - onError: told, on the loop's thread, of each error that a task throws, with the task's key.
    /// - Precondition: capacity, the tasks of a budget, and `asynchronousAtOnce` are above zero.
    public init(
      budget: Budget = Budget(), trackingBudget: Budget = Budget(time: .milliseconds(2), tasks: 16),
      capacity: Int = .max, whenFull: Overflow = .refuse, asynchronousAtOnce: Int = 4,
      order: Int = OrderNumber.idleWork, file: StaticString = #fileID, line: UInt = #line,
      frameTimeLeft: (@Sendable () -> Duration?)? = nil,
      onError: (@Sendable (IdleQueue, any Error, Key?) -> Void)? = nil
    ) {
      require(capacity > 0, "an idle queue of capacity \(capacity) could hold no task")
      require(budget.tasks > 0 && trackingBudget.tasks > 0, "a turn without tasks would never end")
      require(asynchronousAtOnce > 0, "of \(asynchronousAtOnce) asynchronous tasks at once none would begin")
      self.budget = budget
      self.trackingBudget = trackingBudget
      self.capacity = capacity
      self.whenFull = whenFull
      self.asynchronousAtOnce = asynchronousAtOnce
      let asked = Asked(frameTimeLeft: frameTimeLeft, onError: onError)
      super.init(.beforeWaiting, repeats: true, order: order, site: CallSite(file, line)) { observer, _ in
        (observer as? IdleQueue)?.takeTurn(asked)
      }
    }

    /// What the queue asks and tells its owner.
    struct Asked: Sendable {
      let frameTimeLeft: (@Sendable () -> Duration?)?
      let onError: (@Sendable (IdleQueue, any Error, Key?) -> Void)?
    }

    /// How many tasks wait. Any thread.
    public var count: Int { isInherited ? 0 : tasks.withLock { $0.waitingCount } }

    /// Whether a task of the key waits or is under way. Any thread.
    public func contains(key: Key) -> Bool { !isInherited && tasks.withLock { $0.contains(key) } }

    override var workToDo: Work {
      let limit = asynchronousAtOnce
      let (isStartable, hasEndings, isEmpty) = tasks.withLock {
        ($0.hasStartable(asynchronousAtOnce: limit), $0.hasEndings, $0.isEmpty)
      }
      if hasEndings || (isStartable && restingSince == 0) { return .waiting }
      return isEmpty ? .none : .underWay
    }

    override func releaseHandlers() {
      super.releaseHandlers()
      dropAll()
    }
    override func didDetach(from scope: Scope, of loop: RunLoop) {
      super.didDetach(from: scope, of: loop)
      if loop.hasEnded { dropAll() }
    }

    private func dropAll() {
      if isInherited { return }
      tasks.withLock { $0.removeAll() }.finish()
      alarm?.invalidate()
      alarm = nil
    }

    override var kindName: String { "idle queue" }
    override var stateDescription: String { "\(count) waiting" }
  }
}
