/// A closure that is waiting for its mode to run, and where it was queued.
struct Block: ~Copyable {
  /// Grows by one with each block of a loop: the order among blocks of different queues.
  var sequence: UInt64
  let site: CallSite
  let body: Body

  enum Body: ~Copyable {
    case alone(@Sendable () -> Void)
    /// The same block in the queues of several modes; this is the one in that mode's.
    case shared(SharedBlock, in: RunLoop.Mode)

    /// Whether it was run through another mode's queue.
    var isTaken: Bool {
      switch self {
      case .alone: false
      case .shared(let block, _): block.isTaken
      }
    }
  }
}

/// A block that was queued for several modes: it runs once, in whichever comes first.
///
/// Touched only on the loop's thread.
final class SharedBlock: @unchecked Sendable {
  // Sendable: made by one thread, handed over through the inbox's lock, and from then on touched only by the
  // loop's thread.
  private var body: (@Sendable () -> Void)?
  let modes: [RunLoop.Mode]

  init(modes: [RunLoop.Mode], body: @escaping @Sendable () -> Void) {
    self.modes = modes
    self.body = body
  }

  var isTaken: Bool { body == nil }

  /// Gives the closure to the first who asks.
  func take() -> (@Sendable () -> Void)? {
    defer { body = nil }
    return body
  }
}
