import LinuxKernel

extension RunLoop {
  /// A place, a way, or a velocity, in whatever unit the touches are in: pixels, say, and pixels a second.
  public struct Vector: Hashable, Sendable {
    /// To the right.
    public var x: Double
    /// Down, or up, as the touches have it.
    public var y: Double

    /// These two.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// Nowhere.
    public static let zero = Vector(x: 0, y: 0)

    /// How long it is.
    public var length: Double { (x * x + y * y).squareRoot() }

    /// One after the other.
    public static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y) }
    /// The way from the second to the first.
    public static func - (a: Vector, b: Vector) -> Vector { Vector(x: a.x - b.x, y: a.y - b.y) }
    /// So many times as long.
    public static func * (a: Vector, factor: Double) -> Vector { Vector(x: a.x * factor, y: a.y * factor) }
  }

  /// What a finger did, or a pointer while its button is down: what gestures are recognised from.
  public struct Touch: Hashable, Sendable {
    /// What became of the finger.
    public enum Phase: Hashable, Sendable {
      /// It came down.
      case began
      /// It is elsewhere.
      case moved
      /// It was lifted.
      case ended
      /// The system took it away: what it did is not to count.
      case cancelled
    }

    /// Which finger: the same from `began` to `ended` or `cancelled`. A mouse has one.
    public let finger: Int
    /// What it did.
    public let phase: Phase
    /// Where it is.
    public let location: Vector
    /// When it did so, on the monotonic clock: when the hardware saw it, not when the program heard. Of a time that the device
    /// tells, `Instant(monotonic:)`.
    public let time: Instant

    /// A touch.
    ///
    /// - Precondition: the place is finite.
    public init(_ phase: Phase, at location: Vector, time: Instant, finger: Int = 0) {
      require(location.length.isFinite, "no finger is at \(location)")
      self.finger = finger
      self.phase = phase
      self.location = location
      self.time = time
    }

    /// The same at another moment.
    func moved(to time: Instant) -> Touch { Touch(phase, at: location, time: time, finger: finger) }
    /// The same finger and place, with another phase.
    func becoming(_ phase: Phase) -> Touch { Touch(phase, at: location, time: time, finger: finger) }
  }
}
