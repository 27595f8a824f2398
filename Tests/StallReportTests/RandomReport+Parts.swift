import MainspringTesting

@testable import StallReport

/// Random values of the sorts that reports have: each may be unknown.
struct RandomParts {
  var random: SeededRandom

  mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    Bool.random(using: &random) ? make(&self) : nil
  }

  mutating func one<Value>(of values: [Value]) -> Value { values.randomElement(using: &random)! }

  mutating func count() -> Int? {
    maybe { $0.one(of: [0, 1, -1, .max, .min, .random(in: 0...9999, using: &$0.random)]) }
  }

  /// In the unit that spans of milliseconds are written to.
  mutating func microseconds() -> Duration {
    .microseconds(one(of: [0, 1, -1, 999, 1000, .random(in: -(1 << 40)...(1 << 40), using: &random)]))
  }

  mutating func span() -> Duration? { maybe { $0.microseconds() } }

  /// In the unit that spans of microseconds are written to.
  mutating func shortSpan() -> Duration? {
    maybe { .nanoseconds(Int64.random(in: 0...(1 << 40), using: &$0.random)) }
  }

  /// With three decimals, as numbers are written.
  mutating func share() -> Double? {
    maybe { Double(Int.random(in: -2000...200_000, using: &$0.random)) / 1000 }
  }

  mutating func text() -> String {
    let pieces = [
      "a", "é", "\"", "\\", "\n", "\u{0}", "\u{1F600}", "\u{2028}", "/", " ", "\u{9B}", "{", "]", ",",
    ]
    return (0..<Int.random(in: 0...9, using: &random)).map { _ in one(of: pieces) }.joined()
  }

  mutating func word() -> String? { maybe { $0.text() } }

  mutating func address() -> UInt64 { one(of: [0, 1, .max, .random(in: 0...(.max), using: &random)]) }

  mutating func instant() -> Report.UnixTime? {
    maybe { .init(nanoseconds: $0.one(of: [0, .min, .max, .random(in: -9...(1 << 62), using: &$0.random)])) }
  }

  mutating func list<Value>(_ make: (inout Self) -> Value) -> [Value] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in make(&self) }
  }
}

extension Report {
  /// A report in which each part may be known or unknown, by a seed.
  static func random(seed: UInt64) -> Report {
    var random = SeededRandom(seed: seed)
    var report = Report.random(using: &random)
    var parts = RandomParts(random: random)
    report.addCircumstances(&parts)
    report.addStall(&parts)
    report.addEvidence(&parts)
    report.addSurroundings(&parts)
    return report
  }

  private mutating func addCircumstances(_ parts: inout RandomParts) {
    id = Identifier(high: parts.address(), low: parts.address())
    (kind, state) = (parts.one(of: Kind.allCases), parts.one(of: State.allCases))
    app = Application(name: parts.text(), version: parts.word(), buildID: parts.word())
    (app.build, app.commit, app.environment, app.swift) = (
      parts.word(), parts.word(), parts.word(), parts.word()
    )
    (host.name, host.id, host.os, host.kernel) = (parts.word(), parts.word(), parts.word(), parts.word())
    (host.arch, host.container) = (parts.word(), parts.word())
    (host.cpus, host.memoryTotal) = (parts.count(), parts.count())
    host.controlGroup = parts.maybe { parts in
      var group = ControlGroup()
      (group.quota, group.period) = (parts.shortSpan(), parts.shortSpan())
      (group.throttledPeriods, group.throttled) = (parts.count(), parts.shortSpan())
      return group
    }
    (device.deviceClass, device.model, device.clockSource) = (parts.word(), parts.word(), parts.word())
    device.isVirtualized = parts.maybe { $0.one(of: [true, false]) }
    process = Process(pid: parts.count() ?? 1)
    (process.parent, process.start, process.uptime) = (parts.count(), parts.instant(), parts.span())
    (process.residentBytes, process.threads, process.descriptors) = (
      parts.count(), parts.count(), parts.count()
    )
    process.isDebugged = parts.maybe { $0.one(of: [true, false]) }
    (process.sanitizer, process.instance) = (parts.word(), parts.word())
    loop = Loop(
      id: parts.count() ?? 1, name: parts.text(), kind: parts.one(of: Loop.Kind.allCases),
      thread: ThreadName(tid: parts.count() ?? 1, name: parts.word()), mode: parts.word(),
      nesting: parts.count() ?? 1)
    (monitor.tick, monitor.wakeUps, monitor.costPerPass) = (parts.span(), parts.count(), parts.shortSpan())
    (monitor.version, monitor.cpu, monitor.write) = (parts.text(), parts.span(), parts.span())
  }

  private mutating func addStall(_ parts: inout RandomParts) {
    phase = Phase(
      name: PhaseName(rawValue: parts.text()), source: parts.maybe { $0.one(of: Phase.Evidence.allCases) })
    phase.confidence = parts.share()
    phase.item = parts.maybe { parts in
      var item = Item(
        kind: parts.text(),
        madeAt: parts.maybe { SourceLocation(file: $0.text(), line: $0.count() ?? 1) })
      (item.symbol, item.scheduled, item.late) = (parts.word(), parts.instant(), parts.span())
      return item
    }
    let start = parts.address()
    time = Time(
      startUnix: parts.instant() ?? UnixTime(nanoseconds: 1), start: MonotonicTime(nanoseconds: start),
      end: parts.maybe { MonotonicTime(nanoseconds: .random(in: start ... .max, using: &$0.random)) },
      threshold: parts.microseconds(), duration: .microseconds(Int64(1712)))
    (time.endUnix, time.startUncertainty, time.endUncertainty) = (parts.instant(), parts.span(), parts.span())
    (time.detectedAfter, time.excluded) = (parts.span(), parts.span())
    cost = Cost(window: parts.span(), cpu: parts.span(), runnable: parts.span(), offCPU: parts.span())
    cost.verdict = parts.maybe { $0.one(of: [.busy, .starved, .blocked, .mixed]) }
    (cost.majorFaults, cost.minorFaults) = (parts.count(), parts.count())
    (cost.voluntarySwitches, cost.involuntarySwitches) = (parts.count(), parts.count())
    (cost.cpuPressure, cost.ioPressure, cost.memoryPressure) = (parts.share(), parts.share(), parts.share())
    (cost.systemCall, cost.waitChannel) = (parts.word(), parts.word())
    (shape.itemsInPass, shape.longestItem, shape.stackStability) = (
      parts.count(), parts.span(), parts.share()
    )
    shape.verdict = parts.maybe { $0.one(of: Shape.Verdict.allCases) }
    (confidence.score, confidence.watcherLate) = (parts.share(), parts.span())
    (confidence.suspended, confidence.clockStep) = (parts.span(), parts.span())
    confidence.flags = parts.list { $0.text() }
  }

  private mutating func addEvidence(_ parts: inout RandomParts) {
    // The frames that are there already refer to the first one.
    stacks.images = [Image(name: "/lib/x", buildID: nil, base: 0, end: 99, isInApp: true)]
    stacks.images += parts.list { parts in
      let base = parts.address()
      return Image(
        name: parts.text(), buildID: parts.word(), base: base,
        end: .random(in: base ... .max, using: &parts.random), textOffset: parts.address(),
        isInApp: parts.one(of: [true, false]))
    }
    for _ in 0..<4 {
      var frame = Frame(
        image: parts.maybe { [images = stacks.images] in .random(in: images.indices, using: &$0.random) },
        offset: parts.maybe { $0.address() }, symbol: parts.word(),
        location: parts.maybe { SourceLocation(file: $0.text(), line: $0.count() ?? 1) },
        kind: parts.maybe { .phase(PhaseName(rawValue: $0.text())) })
      (frame.symbolOffset, frame.mangled) = (parts.maybe { $0.address() }, parts.word())
      // The frame itself is behind those that are there already.
      frame.inlinedInto = parts.maybe { [count = stacks.frames.count] in
        .random(in: 0...count, using: &$0.random)
      }
      _ = stacks.index(ofStack: [frame])
    }
    let stackCount = stacks.stacks.count
    samples += parts.list { parts in
      Sample(
        time: parts.microseconds(), stack: parts.maybe { .random(in: 0..<stackCount, using: &$0.random) },
        weight: parts.microseconds(), state: parts.maybe { $0.one(of: ["R", "D", "é", "\n", "\r\n"]) },
        cost: parts.shortSpan(), method: parts.one(of: Sample.Method.allCases))
    }
    samplesDropped = parts.count() ?? 0
    threads = parts.list { parts in
      var thread = Thread(
        name: ThreadName(tid: parts.count() ?? 7, name: parts.word()),
        isStalled: parts.one(of: [true, false])
      )
      (thread.state, thread.cpu) = (parts.maybe { $0.one(of: ["R", "S"]) }, parts.span())
      thread.stack = parts.maybe { .random(in: 0..<stackCount, using: &$0.random) }
      thread.registers = parts.maybe { ["rip": $0.address(), $0.text(): $0.address()] }
      thread.waitsOn = parts.maybe {
        WaitTarget(kind: $0.text(), address: $0.maybe { $0.address() }, owner: $0.count())
      }
      return thread
    }
    waits.cycle = parts.maybe { $0.list { $0.count() ?? 7 } }
    waits.edges = parts.list { .init(waiter: $0.count() ?? 7, owner: $0.count() ?? 7, kind: $0.text()) }
    if parts.one(of: [true, false]) { fingerprint = nil } else { computeFingerprint() }
  }

  private mutating func addSurroundings(_ parts: inout RandomParts) {
    for _ in 0..<3 { annotations[parts.text()] = parts.text() }
    breadcrumbs = parts.list { .init(time: $0.microseconds(), category: $0.text(), message: $0.text()) }
    passes.before = parts.list { parts in
      var pass = Pass(time: parts.microseconds(), duration: parts.microseconds())
      pass.phase = parts.maybe { PhaseName(rawValue: $0.text()) }
      (pass.items, pass.cpu) = (parts.count(), parts.span())
      return pass
    }
    passes.mergedIdle = parts.span()
    for _ in 0..<3 { passes.histogram[parts.count() ?? 1] = parts.count() ?? 0 }
    (links.trace, links.span) = (parts.word(), parts.word())
    links.previousReport = parts.maybe { Identifier(high: $0.address(), low: $0.address()) }
    (sampling.rate, sampling.suppressedSinceLast) = (parts.share(), parts.count())
    (sampling.sequence, sampling.reason) = (parts.count(), parts.word())
    redactions = parts.list { $0.text() }
  }
}
