extension Report {
  /// Where most of a stall's time went.
  public enum Verdict: String, Sendable, CaseIterable, JSONEncodable {
    /// On a processor: the code itself is slow.
    case busy
    /// Ready to run but not run: the host is short of processors.
    case starved
    /// Neither: waiting for a lock, a file, the network, memory.
    case blocked
    /// None of these clearly.
    case mixed

    /// The share of the window on a processor from which on it is busy, in percent.
    public static let busyPercent: Int128 = 60
    /// The share of the window ready but not run from which on it is starved, in percent.
    public static let starvedPercent: Int128 = 50
    /// The share of the window off the processors from which on it is blocked, in percent.
    public static let blockedPercent: Int128 = 60

    /// The verdict on these times, or `nil` if a time that decides is unknown.
    ///
    /// Busy goes before starved and starved before blocked; a control group that was held back is starved.
    public init?(
      window: Duration?, cpu: Duration?, runnable: Duration?, offCPU: Duration?, isThrottled: Bool = false
    ) {
      func reaches(_ percent: Int128, _ part: Duration?) -> Bool? {
        guard let part, let window, window > .zero else { return nil }
        return part.attoseconds * 100 >= window.attoseconds * percent
      }
      let isBusy = reaches(Self.busyPercent, cpu)
      let isStarved = reaches(Self.starvedPercent, runnable)
      let isBlocked = reaches(Self.blockedPercent, offCPU)
      if isBusy == true {
        self = .busy
      } else if isStarved == true || isThrottled {
        self = .starved
      } else if isBlocked == true {
        self = .blocked
      } else if isBusy != nil, isStarved != nil, isBlocked != nil {
        self = .mixed
      } else {
        return nil
      }
    }
  }
}
