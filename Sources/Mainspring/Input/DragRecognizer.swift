import LinuxKernel

extension RunLoop {
  /// One finger that takes something with it: what scrolls a list.
  ///
  /// It begins when the finger has gone further than ``slop``, so that a tap moves nothing, and counts its way from there, so
  /// that nothing jumps. Fingers that come down later are not looked at.
  public struct DragRecognizer: GestureRecognizer {
    /// How far a finger may stray that does not drag.
    public let slop: Double

    /// How far it has come.
    public private(set) var state = GestureState.possible
    /// Where the finger is.
    public private(set) var location = Vector.zero
    /// Its way since the drag began.
    public var translation: Vector { location - origin }
    /// How fast it is, a second; zero once it stood still for 40 ms, also when it is lifted then.
    public private(set) var velocity = Vector.zero
    private var start: Touch?
    private var origin = Vector.zero
    private var speed = Velocity()

    /// A recogniser of drags.
    ///
    /// - Precondition: the slop is not negative.
    public init(slop: Double = 8) {
      require(slop >= 0, "no finger strays by \(slop)")
      self.slop = slop
    }

    /// Nil: no drag comes about by waiting.
    public var deadline: Instant? { nil }
    /// It is that late now, and nothing happened.
    public mutating func pass(to now: Instant) {}

    /// A finger did something.
    public mutating func take(_ touch: Touch) {
      guard !state.isOver else { return }
      guard let start else { return begin(touch) }
      guard touch.finger == start.finger else {
        if state == .possible { cancel() }
        return
      }
      if touch.phase == .cancelled { return cancel() }
      follow(touch)
      if state == .possible { leave(start) } else if state.isOn, touch.phase == .moved { state = .changed }
      guard touch.phase == .ended else { return }
      if state.isOn { state = .ended } else { cancel() }
    }

    private mutating func begin(_ touch: Touch) {
      guard touch.phase == .began else { return }
      start = touch
      follow(touch)
      origin = location
    }

    private mutating func follow(_ touch: Touch) {
      // A finger is lifted where it was last: that is no place of its own, unless it is told as one.
      if touch.phase != .ended || touch.location != location { speed.add(touch.location, at: touch.time) }
      location = touch.location
      velocity = speed.value(at: touch.time)
    }

    /// Begins where the finger has left its slop.
    private mutating func leave(_ start: Touch) {
      let way = location - start.location
      guard way.length > slop else { return }
      origin = start.location + way * (slop / way.length)
      state = .began
    }

    /// Nothing is to come of it.
    public mutating func cancel() { if !state.isOver { state = state.cancelled } }
    /// It is as new.
    public mutating func reset() { self = Self(slop: slop) }
  }
}
