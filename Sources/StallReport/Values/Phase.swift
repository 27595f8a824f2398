extension Report {
  /// The part of a pass in which the loop stalled.
  public struct Phase: Sendable, Equatable {
    /// The part's name.
    public var name: PhaseName
    /// How the part is known.
    public var source: Evidence?
    /// How sure that is, from 0 to 1.
    public var confidence: Double?
    /// The callout that was under way.
    public var item: Item?

    /// A part of a pass, and the callout in it.
    public init(name: PhaseName, source: Evidence? = .observer, item: Item? = nil) {
      self.name = name
      self.source = source
      self.item = item
    }

    /// How a phase is known.
    public enum Evidence: String, Sendable, CaseIterable, JSONEncodable {
      /// The loop marked it.
      case observer
      /// A frame of the stack shows it.
      case stack
      /// Both, and they agree.
      case both = "observer+stack"
    }
  }

  /// The name of a part of a pass: open, since other loops have other parts.
  public struct PhaseName: RawRepresentable, Sendable, Hashable, JSONEncodable {
    /// The name as the schema spells it.
    public let rawValue: String
    /// The part of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Entering the run.
    public static let entry = Self(rawValue: "entry")
    /// The timers together.
    public static let timers = Self(rawValue: "timers")
    /// Sources signalled by hand.
    public static let source = Self(rawValue: "source0")
    /// Ports and descriptors, which wake the loop.
    public static let port = Self(rawValue: "source1")
    /// One timer's callout.
    public static let timer = Self(rawValue: "timer")
    /// A block given to `perform`.
    public static let block = Self(rawValue: "block")
    /// A job of an executor: a stretch of a task.
    public static let job = Self(rawValue: "job")
    /// The main dispatch queue.
    public static let mainQueue = Self(rawValue: "main-queue")
    /// The wait for work.
    public static let wait = Self(rawValue: "wait")
    /// Leaving the run.
    public static let exit = Self(rawValue: "exit")
    /// An observer of this activity: `beforeWaiting`, …
    public static func observer(_ activity: String) -> Self { Self(rawValue: "observer:\(activity)") }
  }

  /// One callout: what was called, where it was made, and how late it was.
  public struct Item: Sendable, Equatable {
    /// `timer`, `source`, `port`, `descriptor`, `block`, `observer`.
    public var kind: String
    /// The name of the function called.
    public var symbol: String?
    /// Where the program made the item.
    public var madeAt: SourceLocation?
    /// When it was due.
    public var scheduled: UnixTime?
    /// By how much it was late already when its turn came.
    public var late: Duration?

    /// A callout of this kind, made there.
    public init(kind: String, madeAt: SourceLocation?) {
      self.kind = kind
      self.madeAt = madeAt
    }
  }
}

extension Report.Phase: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("name", name)
      json.member("source", source)
      json.member("confidence", number: confidence)
      json.member("item", item)
    }
  }
}

extension Report.Item: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("kind", kind)
      json.member("symbol", symbol)
      json.member("made_at", madeAt)
      json.member("scheduled_unix_ns", scheduled)
      json.member("late_ms", milliseconds: late)
    }
  }
}
