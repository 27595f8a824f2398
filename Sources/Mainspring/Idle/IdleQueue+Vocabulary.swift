extension RunLoop.IdleQueue {
  /// How much is done in one turn: over when the tasks or the time are used up, whichever comes first. A task that was begun
  /// is not cut short.
  public struct Budget: Hashable, Sendable {
    /// How long a turn may last.
    public var time: Duration
    /// How many tasks, or steps of tasks, there are in a turn.
    public var tasks: Int

    /// A budget.
    ///
    /// - Precondition: at least one task.
    public init(time: Duration = .milliseconds(4), tasks: Int = 64) {
      self.time = time
      self.tasks = tasks
    }
  }

  /// Which tasks go first. Equal ones go in the order of adding.
  public enum Priority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// What nobody waits for.
    case low
    /// What is taken where nothing is said.
    case normal
    /// What is on the screen.
    case high

    /// Whether the first is done after the second.
    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
  }

  /// What happens when a task is added and as many wait as the queue may hold. A task of a lower priority than all that wait
  /// is always refused, and of those that wait one of the lowest priority is dropped.
  public enum Overflow: Hashable, Sendable {
    /// The new one is not taken, and its sender is told.
    case refuse
    /// The one goes that has waited longest.
    case dropOldest
    /// The one goes that came last.
    case dropNewest
  }

  /// What a task that is done in steps says at the end of each.
  public enum Progress: Hashable, Sendable {
    /// There is more to do: it is called again, in this turn or the next.
    case unfinished
    /// It is done.
    case finished
  }

  /// How a task ended.
  public enum Ending: Sendable {
    /// It did what it was to do.
    case finished
    /// It threw.
    case failed(any Error)
    /// It was cancelled, or replaced by another of its key.
    case cancelled
    /// The queue was full, and this one had to go.
    case dropped
  }

  /// The part of a turn that is left, for a task that is done in steps.
  public struct Slice: Sendable {
    /// When the turn is over.
    public let end: RunLoop.Instant
    private let loop: RunLoop

    init(until end: UInt64, on loop: RunLoop) {
      self.end = RunLoop.Instant(nanoseconds: end)
      self.loop = loop
    }

    /// How much time is left, zero if none.
    ///
    /// - Complexity: reads the clock.
    public var remaining: Duration { max(.zero, loop.now.duration(to: end)) }
    /// Whether the time is used up. Also where little was left at the beginning: do a little before you ask.
    public var isOver: Bool { loop.now >= end }
  }

  /// A task that was added. Dropping it changes nothing.
  public struct Handle: Sendable {
    private let queue: RunLoop.IdleQueue
    private let place: IdleTasks.Place

    init(_ queue: RunLoop.IdleQueue, _ place: IdleTasks.Place) {
      self.queue = queue
      self.place = place
    }

    /// Takes the task out: it is not begun, or called again, any more. One that is asynchronous and under way is told, as by
    /// `Task.cancel`. Any thread.
    ///
    /// - Returns: false if it had ended, or had been cancelled, before.
    @discardableResult
    public func cancel() -> Bool { queue.remove { $0.cancel(place, removed: &$1) } }

    /// Whether it is over. Any thread.
    public var hasEnded: Bool { queue.hasEnded(place) }
  }
}
