extension StallMonitor.Configuration {
  /// How many stalls a process reports in full to its archive; the others are only counted, and the next full report of
  /// their issue says how many they were.
  ///
  /// Of each issue the 1st, 2nd, 3rd, 5th, 8th, 13th … of an hour are reported in full, as far as the limits allow. No
  /// issue takes more than two of a minute's reports. The first of each issue in a day comes on top, up to `perDay` issues,
  /// and so do severe stalls, a fifth of `perDay`: one stall that comes again and again silences no other.
  public struct Limits: Sendable, Equatable {
    /// In any minute.
    public var perMinute = 5
    /// In a day. Days and hours are counted from the monitor's start.
    public var perDay = 100
    /// Of one issue in a day.
    public var perIssueAndDay = 20

    public init() {}
  }
}
