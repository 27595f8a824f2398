import LinuxKernel

extension RunLoop {
  /// Two fingers that come nearer to each other, or go apart.
  public struct PinchRecognizer: GestureRecognizer {
    /// By how much their distance may change without being a pinch.
    public let slop: Double

    /// How far it has come.
    public private(set) var state = GestureState.possible
    /// How many times as far apart they are as when the pinch began.
    public var scale: Double { reference > 0 ? span / reference : 1 }
    /// The middle between them.
    public var center: Vector {
      fingers.count == 2 ? (fingers[0].location + fingers[1].location) * 0.5 : .zero
    }
    /// The two, as they were last.
    private var fingers: [Touch] = []
    private var firstSpan = 0.0
    /// The distance that counts as once.
    private var reference = 0.0

    /// A recogniser of pinches.
    ///
    /// - Precondition: the slop is not negative.
    public init(slop: Double = 8) {
      require(slop >= 0, "no finger strays by \(slop)")
      self.slop = slop
    }

    /// Nil: no pinch comes about by waiting.
    public var deadline: Instant? { nil }
    /// It is that late now, and nothing happened.
    public mutating func pass(to now: Instant) {}

    private var span: Double { fingers.count == 2 ? (fingers[1].location - fingers[0].location).length : 0 }

    /// A finger did something.
    public mutating func take(_ touch: Touch) {
      guard !state.isOver else { return }
      guard let index = fingers.firstIndex(where: { $0.finger == touch.finger }) else { return join(touch) }
      fingers[index] = touch
      switch touch.phase {
      case .began: break
      case .moved: spread()
      case .ended: if state.isOn { state = .ended } else { cancel() }
      case .cancelled: cancel()
      }
    }

    private mutating func join(_ touch: Touch) {
      // A third finger is not looked at.
      guard touch.phase == .began, fingers.count < 2 else { return }
      fingers.append(touch)
      firstSpan = span
    }

    private mutating func spread() {
      if state.isOn { return state = .changed }
      let change = span - firstSpan
      guard fingers.count == 2, abs(change) > slop else { return }
      // From where the slop ends, so that nothing jumps.
      reference = firstSpan + (change < 0 ? -slop : slop)
      state = .began
    }

    /// Nothing is to come of it.
    public mutating func cancel() { if !state.isOver { state = state.cancelled } }
    /// It is as new.
    public mutating func reset() { self = Self(slop: slop) }
  }
}
