extension Report {
  /// When the stall was, and how exactly that is known.
  public struct Time: Sendable, Equatable {
    /// The start by the wall clock, for display.
    public var startUnix: UnixTime
    /// The end by the wall clock; `nil` while the stall goes on.
    public var endUnix: UnixTime?
    /// The start by the monotonic clock.
    public var start: MonotonicTime
    /// The end by the monotonic clock; `nil` while the stall goes on.
    public var end: MonotonicTime?
    /// By how much the start may be earlier.
    public var startUncertainty: Duration?
    /// By how much the end may be earlier.
    public var endUncertainty: Duration?
    /// From the start to the moment at which the monitor was certain.
    public var detectedAfter: Duration?
    /// The length from which on it counts as a stall.
    public var threshold: Duration
    /// The length, what is excluded already taken off; so far, while the stall goes on.
    public var duration: Duration
    /// Time that does not count, since the machine or the monitor stood still as well.
    public var excluded: Duration?

    /// A stall's place in time.
    public init(
      startUnix: UnixTime, start: MonotonicTime, end: MonotonicTime?, threshold: Duration, duration: Duration
    ) {
      self.startUnix = startUnix
      self.start = start
      self.end = end
      self.threshold = threshold
      self.duration = duration
    }
  }
}

extension Report.Time: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("start_unix_ns", startUnix)
      json.member("end_unix_ns", endUnix)
      json.member("start_mono_ns", start)
      json.member("end_mono_ns", end)
      json.member("start_uncertainty_ms", milliseconds: startUncertainty)
      json.member("end_uncertainty_ms", milliseconds: endUncertainty)
      json.member("detected_after_ms", milliseconds: detectedAfter)
      json.member("threshold_ms", milliseconds: threshold)
      json.member("duration_ms", milliseconds: duration)
      json.member("excluded_ms", milliseconds: excluded)
    }
  }
}
