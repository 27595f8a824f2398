/// A line that the program writes: what happened, and how everything stands then.
public struct Event: Decodable, Sendable {
  public let event: String
  /// Since the program began.
  public let ms: Int
  public let mode: String
  public let isSettled: Bool
  public let offset: Int
  public let firstCell: Int
  public let cells: Int
  /// Cells on the screen without a picture.
  public let empty: Int
  public let waiting: Int
  public let loaded: Int
  public let inVain: Int
  public let givenUp: Int
  public let failed: Int
  public let tracking: Frames
  public let resting: Frames
  public let clockDefault: Int
  public let clockCommon: Int
  public let firstScreenMs: Int?
  public let headline: String?
  public let culprit: String?
  public let location: String?
  public let callout: String?
  public let chain: [String]?

  /// Frames of one sort.
  public struct Frames: Codable, Sendable {
    public var shown: Int
    public var missedBusy: Int
    public var missedStarved: Int
    public var longestBusyUs: Int

    /// All that there were.
    public var total: Int { shown + missedBusy + missedStarved }
    /// The share that was missed because the loop was busy.
    public var busyShare: Double { total == 0 ? 0 : Double(missedBusy) / Double(total) }
    /// The share that was missed because there was no processor.
    public var starvedShare: Double { total == 0 ? 0 : Double(missedStarved) / Double(total) }
  }
}
