extension Report {
  /// A note of the program's from shortly before or during the stall.
  public struct Breadcrumb: Sendable, Equatable {
    /// The time since the stall's start; negative before it.
    public var time: Duration
    /// A word to sort notes by.
    public var category: String
    /// What happened.
    public var message: String

    /// A note taken `time` after the stall's start.
    public init(time: Duration, category: String, message: String) {
      self.time = time
      self.category = category
      self.message = message
    }
  }

  /// Where else this stall is known.
  public struct Links: Sendable, Equatable {
    /// The trace it happened in.
    public var trace: String?
    /// The span it happened in.
    public var span: String?
    /// The earlier report of the same stall.
    public var previousReport: Identifier?

    /// No links known.
    public init() {}
  }

  /// Which share of the stalls is reported: what is needed to count without bias.
  public struct Sampling: Sendable, Equatable {
    /// The share of hosts or processes that report at all, from 0 to 1.
    public var rate: Double? = 1
    /// How many stalls of this fingerprint were only counted since the last full report.
    public var suppressedSinceLast: Int?
    /// The number of this stall in its process, counted from 1.
    public var sequence: Int?
    /// Why this one is reported in full.
    public var reason: String?

    /// Everything is reported.
    public init() {}
  }

  /// What the monitor itself cost.
  public struct Monitor: Sendable, Equatable {
    /// The monitor's version.
    public var version: String
    /// How often it looks while a loop is busy.
    public var tick: Duration?
    /// How often it woke up since its start.
    public var wakeUps: Int?
    /// What it cost each pass of the loop.
    public var costPerPass: Duration?
    /// Processor time of its own thread since its start.
    public var cpu: Duration?
    /// How long the writing of the report took.
    public var write: Duration?

    /// A monitor of this version.
    public init(version: String) { self.version = version }
  }
}

extension Report.Breadcrumb: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("t_ms", milliseconds: time)
      json.member("cat", category)
      json.member("msg", message)
    }
  }
}

extension Report.Links: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("trace_id", trace)
      json.member("span_id", span)
      json.member("previous_report", previousReport)
    }
  }
}

extension Report.Sampling: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("rate", number: rate)
      json.member("suppressed_since_last", suppressedSinceLast)
      json.member("seq", sequence)
      json.member("reason", reason)
    }
  }
}

extension Report.Monitor: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("version", version)
      json.member("tick_ms", milliseconds: tick)
      json.member("wakeups", wakeUps)
      json.member("cost_us_per_pass", microseconds: costPerPass)
      json.member("self_cpu_ms", milliseconds: cpu)
      json.member("write_ms", milliseconds: write)
    }
  }
}
