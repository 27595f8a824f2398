// The parts of a report that say what stalled, and where.

extension Report.Identifier: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let digits = try String(json: json)
    guard digits.utf8.count == 32, let high = Hexadecimal.value(of: digits.utf8.prefix(16)),
      let low = Hexadecimal.value(of: digits.utf8.suffix(16))
    else { throw .malformed(digits, expected: "32 hexadecimal digits") }
    self.init(high: high, low: low)
  }
}

extension Report.Kind: JSONDecodable {}
extension Report.State: JSONDecodable {}

extension Report.Application: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let app = try JSONObject(json)
    self.init(
      name: try app.required("name"), version: try app.known("version"), buildID: try app.known("build_id"))
    build = try app.known("build")
    commit = try app.known("commit")
    environment = try app.known("environment")
    swift = try app.known("swift")
  }
}

extension Report.Host: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let host = try JSONObject(json)
    self.init()
    name = try host.known("name")
    id = try host.known("id")
    os = try host.known("os")
    kernel = try host.known("kernel")
    arch = try host.known("arch")
    cpus = try host.known("cpus")
    memoryTotal = try host.known("mem_total")
    container = try host.known("container")
    controlGroup = try host.known("cgroup")
  }
}

extension Report.ControlGroup: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let group = try JSONObject(json)
    self.init()
    quota = try group.microseconds("cpu_quota_us")
    period = try group.microseconds("cpu_period_us")
    throttledPeriods = try group.known("nr_throttled_delta")
    throttled = try group.microseconds("throttled_us_delta")
  }
}

extension Report.Device: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let device = try JSONObject(json)
    self.init()
    deviceClass = try device.known("class")
    model = try device.known("model")
    clockSource = try device.known("clocksource")
    isVirtualized = try device.known("virtualized")
  }
}

extension Report.Process: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let process = try JSONObject(json)
    self.init(pid: try process.required("pid"))
    parent = try process.known("ppid")
    start = try process.known("start_unix_ns")
    uptime = try process.milliseconds("uptime_ms")
    residentBytes = try process.known("rss")
    threads = try process.known("threads")
    descriptors = try process.known("fds")
    isDebugged = try process.known("debugger")
    sanitizer = try process.known("sanitizer")
    instance = try process.known("instance")
  }
}

extension Report.Loop: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let loop = try JSONObject(json)
    self.init(
      id: try loop.required("id"), name: try loop.required("name"), kind: try loop.required("kind"),
      thread: try loop.required("thread"), mode: try loop.known("mode"), nesting: try loop.required("nesting")
    )
  }
}

extension Report.Loop.Kind: JSONDecodable {}

extension Report.ThreadName: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let thread = try JSONObject(json)
    self.init(tid: try thread.required("tid"), name: try thread.known("name"))
  }
}

extension Report.Monitor: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let monitor = try JSONObject(json)
    self.init(version: try monitor.required("version"))
    tick = try monitor.milliseconds("tick_ms")
    wakeUps = try monitor.known("wakeups")
    costPerPass = try monitor.microseconds("cost_us_per_pass")
    cpu = try monitor.milliseconds("self_cpu_ms")
    write = try monitor.milliseconds("write_ms")
  }
}
