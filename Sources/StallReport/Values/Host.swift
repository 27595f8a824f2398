extension Report {
  /// The machine or container in which the program runs.
  public struct Host: Sendable, Equatable {
    /// The host's name.
    public var name: String?
    /// A number of the host's that survives a change of its name.
    public var id: String?
    /// The system, as its os-release calls it.
    public var os: String?
    /// The kernel's release.
    public var kernel: String?
    /// The processor's architecture: `x86_64`, `aarch64`.
    public var arch: String?
    /// How many processors the process may use.
    public var cpus: Int?
    /// The memory in bytes.
    public var memoryTotal: Int?
    /// The container's name.
    public var container: String?
    /// What the control group grants, if there is a limit.
    public var controlGroup: ControlGroup?

    /// A host of which nothing is known yet.
    public init() {}
  }

  /// The processor time that a control group grants, and how often it was withheld during the stall.
  public struct ControlGroup: Sendable, Equatable {
    /// Processor time granted in each period.
    public var quota: Duration?
    /// The length of a period.
    public var period: Duration?
    /// In how many periods the group was held back.
    public var throttledPeriods: Int?
    /// For how long the group was held back.
    public var throttled: Duration?

    /// A group of which nothing is known yet.
    public init() {}
  }

  /// The sort of hardware.
  public struct Device: Sendable, Equatable {
    /// `server`, `desktop`, …
    public var deviceClass: String?
    /// The vendor's name of the machine.
    public var model: String?
    /// The kernel's clock source: `tsc`, `kvm-clock`, …
    public var clockSource: String?
    /// Whether a hypervisor is below.
    public var isVirtualized: Bool?

    /// A device of which nothing is known yet.
    public init() {}
  }
}

extension Report.Host: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("name", name)
      json.member("id", id)
      json.member("os", os)
      json.member("kernel", kernel)
      json.member("arch", arch)
      json.member("cpus", cpus)
      json.member("mem_total", memoryTotal)
      json.member("container", container)
      json.member("cgroup", controlGroup)
    }
  }
}

extension Report.ControlGroup: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("cpu_quota_us", microseconds: quota)
      json.member("cpu_period_us", microseconds: period)
      json.member("nr_throttled_delta", throttledPeriods)
      json.member("throttled_us_delta", microseconds: throttled)
    }
  }
}

extension Report.Device: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("class", deviceClass)
      json.member("model", model)
      json.member("clocksource", clockSource)
      json.member("virtualized", isVirtualized)
    }
  }
}
