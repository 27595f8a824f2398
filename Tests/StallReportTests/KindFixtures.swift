import StallReport

extension Report {
  /// Two threads, each of which waits for the lock that the other holds.
  static func deadlocked() -> Report {
    var report = Report.bare(kind: .deadlock, cost: .blockedInFutex)
    report.state = .ongoing
    let save = report.stacks.index(ofStack: [
      .named("~__lll_lock_wait"), .named("!Store.save()", line: 12), .named("@timer"), .named("main"),
    ])
    let update = report.stacks.index(ofStack: [
      .named("~__lll_lock_wait"), .named("!Index.update()", line: 40), .named("~start_thread"),
    ])
    report.samples = [
      Sample(time: .milliseconds(100), stack: save, weight: .milliseconds(1712), state: "S")
    ]
    report.threads = [
      .waiting(4121, "maild", at: 0xc78, owner: 4130, stack: save, isStalled: true),
      .waiting(4130, "db-writer", at: 0xd00, owner: 4121, stack: update),
    ]
    report.waits.cycle = [4121, 4130]
    return report
  }

  /// Three hundred short items, pass after pass.
  static func saturated() -> Report {
    var report = Report.bare(kind: .saturation)
    report.shape.itemsInPass = 300
    report.shape.longestItem = .milliseconds(5)
    return report
  }

  /// A thread that was ready and not run.
  static func starved() -> Report {
    var report = Report.bare(
      kind: .starvation,
      cost: Cost(
        window: .milliseconds(1000), cpu: .milliseconds(240), runnable: .milliseconds(750),
        offCPU: .milliseconds(10)))
    report.cost.cpuPressure = 74.6
    report.cost.involuntarySwitches = 746
    report.host.cpus = 2
    return report
  }
}

extension Report.Cost {
  static var blockedInFutex: Self {
    var cost = Self(window: .seconds(1), cpu: .zero, runnable: .zero, offCPU: .seconds(1))
    cost.systemCall = "futex"
    return cost
  }
}

extension Report.Thread {
  static func waiting(
    _ tid: Int, _ name: String, at address: UInt64, owner: Int, stack: Int, isStalled: Bool = false
  ) -> Self {
    var thread = Self(name: Report.ThreadName(tid: tid, name: name), isStalled: isStalled)
    thread.state = "S"
    thread.stack = stack
    thread.waitsOn = Report.WaitTarget(kind: "futex", address: address, owner: owner)
    return thread
  }
}
