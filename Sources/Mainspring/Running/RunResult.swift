extension RunLoop {
  /// How a run ended.
  public struct RunResult: Hashable, Sendable {
    /// Why a run ended. Decided at the end of a pass; where several hold, the first in this order.
    public enum Reason: Hashable, Sendable {
      /// `stop` addressed this run.
      case stopped
      /// What the run was to wait for was signalled.
      case signalled
      /// A source, port or descriptor source was handled, and the run was to return then.
      case handledSource
      /// The limit passed.
      case timedOut
      /// Nothing is left in the mode that could ever call anybody.
      case finished
    }

    /// Why it ended.
    public let reason: Reason
    /// Whether any source, port or descriptor source was handled during the run, whatever ended it.
    public let handledSource: Bool
    /// How many stops of the innermost run were counted and passed over by a run that goes on after them.
    public let stopsPassedOver: Int

    package init(_ reason: Reason, handledSource: Bool, stopsPassedOver: Int = 0) {
      self.reason = reason
      self.handledSource = handledSource
      self.stopsPassedOver = stopsPassedOver
    }
  }

  /// Which runs a stop ends.
  public enum StopScope: Sendable {
    /// The innermost run on the stack.
    case innermost
    /// Every run on the stack.
    case all
  }

  /// What a run does when its mode has nothing in it.
  public enum EmptyPolicy: Sendable {
    /// Returns `.finished`.
    case finish
    /// Goes on: waits for the limit, for a stop, or for something to be added.
    case wait
  }
}
