extension Report {
  /// How far the report can be trusted.
  public struct Confidence: Sendable, Equatable {
    /// From 0 (noise) to 1 (certain).
    public var score: Double?
    /// By how much the monitor's own thread was late.
    public var watcherLate: Duration?
    /// For how long the machine was suspended.
    public var suspended: Duration?
    /// By how much the wall clock was set.
    public var clockStep: Duration?
    /// What else is doubtful, one word each.
    public var flags: [String] = []

    /// Nothing known about it yet.
    public init() {}
  }

  /// Whether one long item or many short ones made the stall.
  public struct Shape: Sendable, Equatable {
    /// How many items the pass had served.
    public var itemsInPass: Int?
    /// The longest item's time.
    public var longestItem: Duration?
    /// What follows from these.
    public var verdict: Verdict?
    /// The largest share of the weight that one leaf has, from 0 to 1.
    public var stackStability: Double?

    /// Nothing known about it yet.
    public init() {}

    /// The sorts of shape.
    public enum Verdict: String, Sendable, CaseIterable, JSONEncodable {
      /// One long item.
      case singleItem = "single-item"
      /// Many short items.
      case manyItems = "many-items"
      /// It cannot be told.
      case unknown
    }
  }
}

extension Report.Confidence: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("score", number: score)
      json.member("watcher_late_ms", milliseconds: watcherLate)
      json.member("suspended_ms", milliseconds: suspended)
      json.member("clock_step_ms", milliseconds: clockStep)
      json.member("flags", flags)
    }
  }
}

extension Report.Shape: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("items_in_pass", itemsInPass)
      json.member("longest_item_ms", milliseconds: longestItem)
      json.member("verdict", verdict)
      json.member("stack_stability", number: stackStability)
    }
  }
}
