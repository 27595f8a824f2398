extension Report {
  /// How the loop behaved before the stall: what is normal for it.
  public struct Passes: Sendable, Equatable {
    /// The last passes, oldest first; short ones are merged.
    public var before: [Pass] = []
    /// The idle time merged into them.
    public var mergedIdle: Duration?
    /// How many passes took at least so many milliseconds and less than the next entry's.
    public var histogram: [Int: Int] = [:]

    /// No passes known.
    public init() {}
  }

  /// One earlier pass of the loop.
  public struct Pass: Sendable, Equatable {
    /// The time since the stall's start, so negative.
    public var time: Duration
    /// How long it took.
    public var duration: Duration
    /// The phase that took most of it.
    public var phase: PhaseName?
    /// How many items it served.
    public var items: Int?
    /// The time on a processor.
    public var cpu: Duration?

    /// A pass that began at `time`.
    public init(time: Duration, duration: Duration) {
      self.time = time
      self.duration = duration
    }
  }
}

extension Report.Passes: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("before", before)
      json.member("merged_idle_ms", milliseconds: mergedIdle)
      json.member("hist_ms") { json in
        json.object { json in
          for (milliseconds, count) in histogram.sorted(by: { $0.key < $1.key }) {
            json.member(String(milliseconds), count)
          }
        }
      }
    }
  }
}

extension Report.Pass: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("t_ms", milliseconds: time)
      json.member("dur_ms", milliseconds: duration)
      json.member("phase", phase)
      json.member("items", items)
      json.member("cpu_ms", milliseconds: cpu)
    }
  }
}
