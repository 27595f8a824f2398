import LinuxKernel

extension RunLoop {
  /// One finger, down and up again in its place; or several times in a row.
  public struct TapRecognizer: GestureRecognizer {
    /// How many taps make one gesture.
    public let count: Int
    /// How far the finger may stray.
    public let slop: Double
    /// A finger that is down for so long does not tap.
    public let longest: Duration
    /// The next tap begins within this time.
    public let pause: Duration

    /// How far it has come.
    public private(set) var state = GestureState.possible
    /// When the finger is down for too long, or the next tap too late.
    public private(set) var deadline: Instant?
    /// Where the last tap is.
    public private(set) var location = Vector.zero
    private var finger: Int?
    private var taps = 0

    /// A recogniser of so many taps.
    public init(
      count: Int = 1, slop: Double = 10, longest: Duration = .milliseconds(300),
      pause: Duration = .milliseconds(300)
    ) {
      require(count > 0, "no finger taps \(count) times")
      self.count = count
      self.slop = slop
      self.longest = longest
      self.pause = pause
    }

    /// A finger did something.
    public mutating func take(_ touch: Touch) {
      guard state == .possible else { return }
      switch touch.phase {
      case .began: press(touch)
      case _ where touch.finger != finger: break
      case .moved, .ended:
        // Where it came down counts, however it comes back.
        if (touch.location - location).length > slop {
          cancel()
        } else if touch.phase == .ended {
          lift(touch)
        }
      case .cancelled: cancel()
      }
    }

    private mutating func press(_ touch: Touch) {
      // The finger of the next tap comes down less exactly than one that rests.
      let strays = taps > 0 && (touch.location - location).length > 4 * slop
      guard finger == nil, !strays else { return cancel() }
      finger = touch.finger
      location = touch.location
      deadline = touch.time.advanced(by: longest)
    }

    private mutating func lift(_ touch: Touch) {
      taps += 1
      finger = nil
      deadline = taps == count ? nil : touch.time.advanced(by: pause)
      if taps == count { state = .ended }
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
    public mutating func reset() { self = Self(count: count, slop: slop, longest: longest, pause: pause) }
  }
}
