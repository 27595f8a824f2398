import StallReport

extension Report {
  /// A report in which everything is known: the schema's example as values.
  static func full() -> Report {
    var report = Report(
      id: Identifier(high: 0x0f6d_1c3e_9a5b_4e0c, low: 0x8a61_d1b0_c2f4_a7e9), kind: .stall,
      state: .recovered,
      app: .example, process: .example,
      loop: Loop(
        id: 1, name: "main", thread: ThreadName(tid: 4121, name: "maild"), mode: "default"),
      phase: .example, time: .example, cost: .example, monitor: .example)
    report.host = .example
    report.device.deviceClass = "server"
    report.device.model = "KVM"
    report.device.clockSource = "tsc"
    report.device.isVirtualized = true
    report.shape.itemsInPass = 1
    report.shape.longestItem = .milliseconds(1712)
    report.shape.verdict = .singleItem
    report.shape.stackStability = 0.91
    report.addConfidence()
    report.addStacks()
    report.addThreads()
    report.addSurroundings()
    report.computeFingerprint()
    return report
  }

  private mutating func addConfidence() {
    confidence.score = 0.98
    confidence.watcherLate = .microseconds(1200)
    confidence.suspended = .zero
    confidence.clockStep = .zero
  }

  private mutating func addStacks() {
    stacks.images = [
      Image(
        name: "/usr/lib/maild/maild", buildID: "93ac", base: 0x5628_662e_0000, end: 0x5628_6640_0000,
        isInApp: true),
      Image(
        name: "/lib/libc.so.6", buildID: "0a1b", base: 0x7fa5_79c4_5000, end: 0x7fa5_79dc_00fc, isInApp: false
      ),
    ]
    func app(_ symbol: String, _ line: Int, _ offset: UInt64) -> Frame {
      Frame(
        image: 0, offset: offset, symbol: symbol,
        location: SourceLocation(file: "MailStore.swift", line: line),
        isInApp: true)
    }
    var main = app("main", 12, 0x11a0)
    main.kind = .threadBase
    let run = Frame(image: 0, offset: 0x347e7b, symbol: "RunLoop.run(in:)", kind: .loop)
    let callout = Frame(image: 0, offset: 0x348001, symbol: "callOut", kind: .phase(.timer))
    var reindex = app("MailStore.reindex()", 88, 0x20f4)
    reindex.mangled = "$s5maild9MailStoreC7reindexyyF"
    reindex.symbolOffset = 0x1b4
    var tokenize = app("MailStore.tokenize(_:)", 131, 0x2290)
    tokenize.inlinedInto = 3
    let memmove = Frame(image: 1, offset: 0x9c0f0, symbol: "memmove", kind: .libc)
    let root = [reindex, callout, run, main]
    for frame in root.reversed() + [tokenize, memmove] { _ = stacks.index(of: frame) }
    let series: [(Int, [Frame], Int)] = [
      (104, [memmove, tokenize] + root, 104), (154, [tokenize] + root, 50),
      (268, [memmove, tokenize] + root, 114),
      (900, [tokenize] + root, 632), (1500, root, 600), (1700, root, 200),
    ]
    for (time, stack, weight) in series {
      samples.append(
        Sample(
          time: .milliseconds(time), stack: stacks.index(ofStack: stack), weight: .milliseconds(weight),
          state: "R", cost: .microseconds(41)))
    }
  }

  private mutating func addThreads() {
    var stalled = Thread(name: loop.thread, isStalled: true)
    stalled.state = "R"
    stalled.cpu = .milliseconds(1588)
    stalled.stack = 0
    stalled.registers = ["rip": 0x7fa5_79ce_10f0, "rsp": 0x7ffc_542d_2738, "rbp": 0x7ffc_542d_2790]
    var writer = Thread(name: ThreadName(tid: 4130, name: "db-writer"), isStalled: false)
    writer.state = "S"
    writer.cpu = .zero
    writer.waitsOn = WaitTarget(kind: "futex", address: 0x7fa5_6800_0c78, owner: 4121)
    threads = [stalled, writer]
    waits.edges = [Waits.Edge(waiter: 4130, owner: 4121, kind: "futex")]
  }

  private mutating func addSurroundings() {
    annotations = ["request_id": "r-81", "tenant": "blue"]
    breadcrumbs = [Breadcrumb(time: .milliseconds(-430), category: "net", message: "IMAP IDLE wake")]
    var pass = Pass(time: .milliseconds(-210), duration: .milliseconds(4))
    pass.phase = .source
    pass.items = 1
    pass.cpu = .milliseconds(3)
    passes.before = [pass]
    passes.mergedIdle = .milliseconds(143)
    passes.histogram = [1: 9120, 2: 311, 4: 48, 8: 11, 16: 2, 32: 1, 64: 0, 128: 0]
    links.trace = "5b8efff798038103d269b633813fc60c"
    links.span = "eee19b7ec3c1b174"
    sampling.suppressedSinceLast = 4
    sampling.sequence = 37
    sampling.reason = "new-in-hour"
    redactions = ["env", "argv", "urls"]
  }
}
