extension RunLoop {
  /// One finger that stays in its place for a while. It may move from then on, until it is lifted.
  public struct LongPressRecognizer: GestureRecognizer {
    /// How long the finger stays.
    public let delay: Duration
    /// How far it may stray meanwhile.
    public let slop: Double

    /// How far it has come.
    public private(set) var state = GestureState.possible
    /// When the press begins.
    public private(set) var deadline: Instant?
    /// Where the finger is.
    public private(set) var location = Vector.zero
    private var start: Touch?

    /// A recogniser of a press of that length.
    public init(delay: Duration = .milliseconds(500), slop: Double = 10) {
      self.delay = delay
      self.slop = slop
    }

    /// A finger did something.
    public mutating func take(_ touch: Touch) {
      guard !state.isOver else { return }
      guard let start else { return begin(touch) }
      guard touch.finger == start.finger else {
        // A second finger means something else, but not once it is a press.
        if state == .possible { cancel() }
        return
      }
      location = touch.location
      let strays = state == .possible && (location - start.location).length > slop
      if touch.phase == .cancelled || strays { return cancel() }
      if touch.phase == .ended { return end() }
      if state.isOn { state = .changed }
    }

    private mutating func begin(_ touch: Touch) {
      guard touch.phase == .began else { return }
      start = touch
      location = touch.location
      deadline = touch.time.advanced(by: delay)
    }

    private mutating func end() {
      if state.isOn { state = .ended } else { cancel() }
    }

    /// It is that late now, and nothing happened.
    public mutating func pass(to now: Instant) {
      guard let deadline, now >= deadline else { return }
      self.deadline = nil
      state = .began
    }

    /// Nothing is to come of it.
    public mutating func cancel() {
      if !state.isOver { state = state.cancelled }
      deadline = nil
    }

    /// It is as new.
    public mutating func reset() { self = Self(delay: delay, slop: slop) }
  }
}
