extension Report {
  /// The process that stalled.
  public struct Process: Sendable, Equatable {
    /// The process number; with ``start`` it is unique on its host.
    public var pid: Int
    /// The parent's process number.
    public var parent: Int?
    /// When the process started.
    public var start: UnixTime?
    /// For how long it had run when the stall began.
    public var uptime: Duration?
    /// Resident memory in bytes.
    public var residentBytes: Int?
    /// How many threads it has.
    public var threads: Int?
    /// How many descriptors it has open.
    public var descriptors: Int?
    /// Whether a debugger is attached: then the stall may be a breakpoint.
    public var isDebugged: Bool?
    /// The sanitizer it was built with, which slows it down.
    public var sanitizer: String?
    /// A random number of this run of the program.
    public var instance: String?

    /// A process of which no more than its number is known yet.
    public init(pid: Int) { self.pid = pid }
  }
}

extension Report.Process: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("pid", pid)
      json.member("ppid", parent)
      json.member("start_unix_ns", start)
      json.member("uptime_ms", milliseconds: uptime)
      json.member("rss", residentBytes)
      json.member("threads", threads)
      json.member("fds", descriptors)
      json.member("debugger", isDebugged)
      json.member("sanitizer", sanitizer)
      json.member("instance", instance)
    }
  }
}
