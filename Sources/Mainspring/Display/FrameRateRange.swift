import LinuxKernel

extension RunLoop {
  /// Which rates a display link may be called at, in frames a second, and which would be best.
  ///
  /// A display has one rate, and a link is called for every frame, for every second, third, and so on: of these rates the
  /// one in the range that is nearest to the preferred one. Where none lies in the range, it is the next below it.
  public struct FrameRateRange: Hashable, Sendable {
    /// The lowest rate.
    public let minimum: Double
    /// The highest rate.
    public let maximum: Double
    /// The best rate.
    public let preferred: Double

    /// Every frame of the display.
    public static let everyFrame = FrameRateRange(minimum: lowest, maximum: .infinity)

    /// The rates from one to another.
    ///
    /// - Parameters:
    ///   - minimum: at least 0.1.
    ///   - preferred: in the range; nil is the maximum.
    public init(minimum: Double, maximum: Double, preferred: Double? = nil) {
      require(
        minimum >= Self.lowest && maximum >= minimum,
        "no display has frame rates from \(minimum) to \(maximum) a second")
      let best = preferred ?? maximum
      require(
        minimum <= best && best <= maximum,
        "the preferred rate \(best) lies outside the range from \(minimum) to \(maximum)")
      self.minimum = minimum
      self.maximum = maximum
      self.preferred = best
    }

    /// One rate, or the nearest below that the display has.
    public init(_ rate: Double) { self.init(minimum: rate, maximum: rate) }

    private static let lowest = 0.1
    /// Displays say 59.94 where people say 60, and a measured rate is not exact.
    private static let slack = 0.02

    /// How many frames of the display one of the link's lasts.
    func stride(atMillihertz millihertz: UInt64) -> UInt64 {
      let rate = Double(millihertz) / 1000
      let fewest = max(1, (rate / (maximum * (1 + Self.slack))).rounded(.up))
      let most = max(fewest, (rate / (minimum * (1 - Self.slack))).rounded(.down))
      let ideal = rate / preferred
      let near = [ideal.rounded(.down), ideal.rounded(.up)].map { min(max($0, fewest), most) }
      // Of two that are as near the faster.
      return UInt64(abs(rate / near[1] - preferred) < abs(rate / near[0] - preferred) ? near[1] : near[0])
    }
  }
}
