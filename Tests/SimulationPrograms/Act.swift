/// What a simulated program does, as data: the same for every world.
///
/// Items, tokens, blocks and descriptors are numbered in the order in which the program has them.
package enum Act: Sendable {
  case signal(Int)
  case wakeUp
  case perform(block: Int, modes: [Program.Mode])
  case add(Int, Program.Mode)
  case remove(Int, Program.Mode)
  case invalidate(Int)
  /// Several changes as one.
  case update([Act])
  /// Milliseconds from now; nil disarms.
  case setDate(Int, Int?)
  case send(Int)
  case close(Int)
  /// A mark for a batch.
  case mark(Int, Int)
  case unmark(Int, Int)
  /// A batch is done at once; nothing where that is not allowed.
  case flush(Int)
  /// A task for an idle queue.
  case addTask(Int, Task)
  case cancelTask(Int, key: Int)
  case setInterest(Int, Program.Readiness)
  case setReadiness(of: Int, Program.Readiness)
  case signalToken(Int)
  case spend(Int)
  case run(Run)
  case stop(all: Bool)
  case cancelPendingStop
  case makeCommon(Program.Mode)

  /// What an idle queue is given to do.
  package struct Task: Equatable, Sendable {
    package var block: Int
    package var key: Int?
    package var priority: Int

    package init(block: Int, key: Int?, priority: Int) {
      self.block = block
      self.key = key
      self.priority = priority
    }
  }

  /// How the loop is run.
  package struct Run: Equatable, Sendable {
    package var mode: Program.Mode
    /// Milliseconds; nil for no limit.
    package var limit: Int?
    package var way: Way

    package init(in mode: Program.Mode, for limit: Int?, _ way: Way) {
      self.mode = mode
      self.limit = limit
      self.way = way
    }
  }

  package enum Way: Equatable, Sendable {
    case plain(returnAfterSource: Bool, waitsWhenEmpty: Bool)
    /// Until the limit or, without one, through stops.
    case overStops(waitsWhenEmpty: Bool)
    case untilHandled(Int)
    case untilToken(Int)
  }
}
