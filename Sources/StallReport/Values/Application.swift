extension Report {
  /// The program that stalled, as it was when the stall began.
  public struct Application: Sendable, Equatable {
    /// The name people know it by.
    public var name: String
    /// The version it calls itself.
    public var version: String?
    /// The build's number.
    public var build: String?
    /// The GNU build-id of the executable, in hexadecimal digits.
    public var buildID: String?
    /// The commit it was built from.
    public var commit: String?
    /// Where it runs: `production`, `staging`, …
    public var environment: String?
    /// The version of the Swift toolchain that built it.
    public var swift: String?

    /// A program of which no more than the name and perhaps version and build-id are known.
    public init(name: String, version: String? = nil, buildID: String? = nil) {
      self.name = name
      self.version = version
      self.buildID = buildID
    }
  }
}

extension Report.Application: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("name", name)
      json.member("version", version)
      json.member("build", build)
      json.member("build_id", buildID)
      json.member("commit", commit)
      json.member("environment", environment)
      json.member("swift", swift)
    }
  }
}
