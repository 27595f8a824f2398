/// The dates of a display's frames: they never drift, for each is found from its number.
///
/// Without a display the frame of number 0 lay at the beginning of the monotonic clock, so that all links of one rate
/// are called together.
struct FrameGrid {
  /// The number of the frame that was at `origin`, ns.
  var base: UInt64 = 0
  var origin: UInt64 = 0
  /// Frames in a thousand seconds.
  let millihertz: UInt64

  private static let nanosecondsInThousandSeconds: UInt64 = 1_000_000_000_000

  /// The time between two frames, ns, rounded down.
  var period: UInt64 { Self.nanosecondsInThousandSeconds / millihertz }

  /// When a frame is due, ns; rounded up, so that its date lies in it.
  ///
  /// - Precondition: it does not lie before the base.
  func date(of frame: UInt64) -> UInt64 {
    let (high, low) = (frame - base).multipliedFullWidth(by: Self.nanosecondsInThousandSeconds)
    guard high < millihertz else { return .max }
    let (whole, rest) = millihertz.dividingFullWidth((high, low))
    let (date, overflow) = origin.addingReportingOverflow(rest == 0 ? whole : whole &+ 1)
    return overflow ? .max : date
  }

  /// The last frame whose date has come; the base before that.
  func frame(at date: UInt64) -> UInt64 {
    guard date > origin else { return base }
    let (high, low) = (date - origin).multipliedFullWidth(by: millihertz)
    guard high < Self.nanosecondsInThousandSeconds else { return .max }
    return base &+ Self.nanosecondsInThousandSeconds.dividingFullWidth((high, low)).quotient
  }
}
