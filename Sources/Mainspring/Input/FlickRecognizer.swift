extension RunLoop {
  /// One finger that goes fast and is lifted while it does.
  ///
  /// A drag is one before it can be a flick: where both are wanted, this one is recognised alongside.
  public struct FlickRecognizer: GestureRecognizer {
    /// Which way it mostly went.
    public enum Direction: Hashable, Sendable {
      /// To smaller x.
      case left
      /// To larger x.
      case right
      /// To smaller y.
      case up
      /// To larger y.
      case down
    }

    /// How fast the finger is at least, a second.
    public let speed: Double
    /// How far it goes at least.
    public let distance: Double
    /// How long it takes at most.
    public let longest: Duration

    /// How far it has come.
    public private(set) var state = GestureState.possible
    /// When the finger is down for too long.
    public private(set) var deadline: Instant?
    /// How fast the finger was, a second.
    public private(set) var velocity = Vector.zero
    private var start: Touch?
    private var places = Velocity()
    private var last = Vector.zero

    /// A recogniser of flicks.
    public init(speed: Double = 400, distance: Double = 20, longest: Duration = .milliseconds(400)) {
      self.speed = speed
      self.distance = distance
      self.longest = longest
    }

    /// Which way it went.
    public var direction: Direction {
      abs(velocity.x) > abs(velocity.y)
        ? (velocity.x < 0 ? .left : .right) : (velocity.y < 0 ? .up : .down)
    }

    /// A finger did something.
    public mutating func take(_ touch: Touch) {
      guard state == .possible else { return }
      guard let start else {
        if touch.phase == .began { begin(touch) }
        return
      }
      guard touch.finger == start.finger, touch.phase != .cancelled else { return cancel() }
      if touch.phase != .ended || touch.location != last { places.add(touch.location, at: touch.time) }
      last = touch.location
      guard touch.phase == .ended else { return }
      velocity = places.value(at: touch.time)
      guard velocity.length >= speed, (last - start.location).length >= distance else { return cancel() }
      state = .ended
      deadline = nil
    }

    private mutating func begin(_ touch: Touch) {
      start = touch
      last = touch.location
      places.add(touch.location, at: touch.time)
      deadline = touch.time.advanced(by: longest)
    }

    /// It is that late now, and nothing happened.
    public mutating func pass(to now: Instant) {
      if let deadline, now >= deadline { cancel() }
    }

    /// Nothing is to come of it.
    public mutating func cancel() {
      if state == .possible { state = .failed }
      deadline = nil
    }

    /// It is as new.
    public mutating func reset() { self = Self(speed: speed, distance: distance, longest: longest) }
  }
}
