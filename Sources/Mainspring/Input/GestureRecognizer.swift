extension RunLoop {
  /// How far a gesture has come.
  public enum GestureState: Hashable, Sendable {
    /// It may become one, or nothing has happened yet.
    case possible
    /// It is one, and goes on.
    case began
    /// It goes on, and something about it is new.
    case changed
    /// It is complete. A tap, which does not go on, comes here straight from ``possible``.
    case ended
    /// It had begun, and was taken away.
    case cancelled
    /// It is not one.
    case failed

    /// Whether it has begun and not ended.
    public var isOn: Bool { self == .began || self == .changed }
    /// Whether nothing more will come of it.
    public var isOver: Bool { self == .ended || self == .cancelled || self == .failed }
  }

  /// Decides of what fingers do whether it is a certain gesture: a value, a function of touches and of the time alone.
  ///
  /// ``Gestures`` gives it touches in the order of their times, each after having let the time pass to it. Every finger
  /// begins, moves, and ends or is cancelled. When the recogniser is over and no finger of its touches is down, it is reset.
  /// Nothing in it asks for the time, so that a test can give it any.
  public protocol GestureRecognizer: Sendable {
    /// How far it has come.
    var state: GestureState { get }
    /// When the passing of time alone will make a difference; nil if never.
    var deadline: Instant? { get }
    /// A finger did something.
    mutating func take(_ touch: Touch)
    /// It is that late now, and nothing happened.
    mutating func pass(to now: Instant)
    /// Nothing is to come of it: ``GestureState/failed``, or ``GestureState/cancelled`` if it had begun.
    mutating func cancel()
    /// It is as new.
    mutating func reset()
  }
}

extension RunLoop.GestureState {
  /// What becomes of it when it is taken away.
  var cancelled: RunLoop.GestureState { isOn ? .cancelled : .failed }
}
