/// A task of an idle queue, and its place in a line.
struct IdleTask: Sendable {
  enum Body: Sendable {
    case once(@Sendable () throws -> Void)
    case steps(@Sendable (RunLoop.IdleQueue.Slice) throws -> RunLoop.IdleQueue.Progress)
    case asynchronous(@Sendable () async throws -> Void)

    var isAsynchronous: Bool { if case .asynchronous = self { true } else { false } }
  }

  enum State: Sendable {
    case waiting
    /// Its turn has come: it is called, or runs elsewhere.
    case underWay(Task<Void, Never>?)
    /// It was cancelled while it was under way.
    case cancelled
  }

  var body: Body
  var key: RunLoop.IdleQueue.Key?
  var priority: RunLoop.IdleQueue.Priority
  var site: CallSite
  var onEnd: (@Sendable (RunLoop.IdleQueue.Ending) -> Void)?
  var state = State.waiting
  /// Tells it from others that had the same slot.
  var number: UInt64 = 0
  /// Its place among those of its priority: the number that its place in the line was given for.
  var order: UInt64 = 0
  var previous = -1
  var next = -1

  /// There are two lines a priority, for what is asynchronous may have to wait for others of its kind.
  var line: Int { Self.line(priority, isAsynchronous: body.isAsynchronous) }

  static func line(_ priority: RunLoop.IdleQueue.Priority, isAsynchronous: Bool) -> Int {
    priority.rawValue * 2 + (isAsynchronous ? 1 : 0)
  }
}

/// A task that is over, and has yet to be told.
struct EndedIdleTask: Sendable {
  let task: IdleTask
  let ending: RunLoop.IdleQueue.Ending
}
