/// The spans that a watcher works with, ns.
struct WatchLimits: Sendable, Equatable {
  var stall: StallDetector.Limits
  /// From how long without a wait on a loop is saturated; nil tells none.
  var saturation: UInt64?
  /// Stalls as long as these are looked at more closely: the stacks of all threads are taken.
  var bands: [UInt64] = [2_000_000_000, 8_000_000_000]
  /// How often the watcher looks while a loop is busy.
  var tick: UInt64

  /// How long a thread may take to answer, ns: longer, and it gets no processor.
  var answerLimit: UInt64 { max(2 * tick, 20_000_000) }

  /// A tick is half of what it takes to be suspected, within these bounds.
  private static let tickBounds: ClosedRange<UInt64> = 5_000_000...100_000_000

  init(stall: StallDetector.Limits, saturation: UInt64? = nil) {
    self.stall = stall
    self.saturation = saturation
    let suspicion = StallDetector(stall).suspicion
    tick = min(max(suspicion / 2, Self.tickBounds.lowerBound), Self.tickBounds.upperBound)
  }

  init(_ configuration: StallMonitor.Configuration, factor: Int = SlowEnvironment.factor) {
    func span(_ duration: Duration) -> UInt64 { (duration * factor).wholeNanoseconds }
    let threshold = span(configuration.threshold)
    self.init(
      stall: StallDetector.Limits(
        threshold: threshold, launch: configuration.launchThreshold.map { max(threshold, span($0)) },
        starvation: configuration.starvationThreshold.map { max(threshold, span($0)) }),
      saturation: configuration.saturationThreshold.map { max(threshold, span($0)) })
    bands = configuration.severeThresholds.sorted().map { max(threshold, span($0)) }
  }
}
