import StallReport

extension Report.Application {
  static var example: Self {
    var app = Self(name: "maild", version: "2.3.1", buildID: "93ac61ec5a8eb1396f9fbd350e3169a558528a40")
    app.build = "1842"
    app.commit = "4e7c1d2"
    app.environment = "production"
    app.swift = "6.3.1"
    return app
  }
}

extension Report.Host {
  static var example: Self {
    var host = Self()
    host.name = "node-7"
    host.id = "h-5f2c"
    host.os = "Debian GNU/Linux 12"
    host.kernel = "6.18.44"
    host.arch = "x86_64"
    host.cpus = 8
    host.memoryTotal = 33_554_432_000
    host.container = "maild-7c9"
    var group = Report.ControlGroup()
    group.quota = .milliseconds(200)
    group.period = .milliseconds(100)
    group.throttledPeriods = 0
    group.throttled = .zero
    host.controlGroup = group
    return host
  }
}

extension Report.Process {
  static var example: Self {
    var process = Self(pid: 4121)
    process.parent = 1
    process.start = Report.UnixTime(nanoseconds: 1_790_000_000_000_000_000)
    process.uptime = .milliseconds(86_400_123)
    process.residentBytes = 182_452_224
    process.threads = 23
    process.descriptors = 87
    process.isDebugged = false
    process.instance = "d3b0c6a2"
    return process
  }
}

extension Report.Phase {
  static var example: Self {
    var item = Report.Item(
      kind: "timer", madeAt: Report.SourceLocation(file: "maild/MailStore.swift", line: 41))
    item.symbol = "MailStore.reindex()"
    item.scheduled = Report.UnixTime(nanoseconds: 1_790_086_400_100_000_000)
    item.late = .microseconds(3100)
    var phase = Self(name: .timer, source: .both, item: item)
    phase.confidence = 0.98
    return phase
  }
}

extension Report.Time {
  static var example: Self {
    var time = Self(
      startUnix: Report.UnixTime(nanoseconds: 1_790_086_400_123_000_000),
      start: Report.MonotonicTime(nanoseconds: 86_400_123_000_000),
      end: Report.MonotonicTime(nanoseconds: 86_401_835_000_000), threshold: .milliseconds(250),
      duration: .milliseconds(1712))
    time.endUnix = Report.UnixTime(nanoseconds: 1_790_086_401_835_000_000)
    time.startUncertainty = .milliseconds(4)
    time.endUncertainty = .zero
    time.detectedAfter = .milliseconds(268)
    time.excluded = .zero
    return time
  }
}

extension Report.Cost {
  static var example: Self {
    var cost = Self(
      window: .milliseconds(1660), cpu: .milliseconds(1588), runnable: .milliseconds(41),
      offCPU: .milliseconds(31))
    cost.majorFaults = 2
    cost.minorFaults = 913
    cost.voluntarySwitches = 1
    cost.involuntarySwitches = 37
    cost.cpuPressure = 3.1
    cost.ioPressure = 0
    cost.memoryPressure = 0
    return cost
  }
}

extension Report.Monitor {
  static var example: Self {
    var monitor = Self(version: "0.1")
    monitor.tick = .milliseconds(50)
    monitor.wakeUps = 31
    monitor.costPerPass = .nanoseconds(600)
    monitor.cpu = .microseconds(2400)
    monitor.write = .microseconds(1900)
    return monitor
  }
}
