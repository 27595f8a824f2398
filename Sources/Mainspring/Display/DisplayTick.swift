extension RunLoop {
  /// One call of a display link: which frame it is for, and how long there is for it.
  public struct DisplayTick: Hashable, Sendable {
    /// When the display began to show the frame before: the date of the frame, not of the call, which is later.
    public let timestamp: Instant
    /// When the link's next frame is due: what is to be seen then has to be ready by then.
    public let targetTimestamp: Instant
    /// The time between two frames of the display. At a lower rate than its own, `targetTimestamp` lies several of them
    /// after `timestamp`.
    public let duration: Duration
    /// The number of the display's frame. A link at a third of the rate sees every third.
    public let sequence: UInt64
    /// How many frames the link was to be called for since the last tick and was not, because the loop was busy or ran in
    /// other modes. Frames during a pause are none of them.
    public internal(set) var missedFrames: UInt64

    /// A tick, for tests of what takes one.
    public init(
      timestamp: Instant, targetTimestamp: Instant, duration: Duration, sequence: UInt64,
      missedFrames: UInt64 = 0
    ) {
      self.timestamp = timestamp
      self.targetTimestamp = targetTimestamp
      self.duration = duration
      self.sequence = sequence
      self.missedFrames = missedFrames
    }

    /// This tick instead of an earlier one that nobody took: what that had missed, and it itself, are missed.
    func replacing(_ earlier: DisplayTick?) -> DisplayTick {
      guard let earlier else { return self }
      var tick = self
      tick.missedFrames += earlier.missedFrames + 1
      return tick
    }
  }
}
