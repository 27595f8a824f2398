import StallReport
import Testing

@Suite struct Fingerprints {
  private let busy = Report.Cost(
    window: .seconds(1), cpu: .seconds(1), runnable: .zero, offCPU: .zero)
  private let blocked = Report.Cost(
    window: .seconds(1), cpu: .zero, runnable: .zero, offCPU: .seconds(1))

  private func report(
    _ frames: [Report.Frame], cost: Report.Cost? = nil, kind: Report.Kind = .stall
  ) -> Report {
    var report = Report.bare(kind: kind, cost: cost ?? busy)
    let stack = report.stacks.index(ofStack: frames)
    report.samples = [.init(time: .zero, stack: stack, weight: .seconds(1), state: "R")]
    report.computeFingerprint()
    return report
  }

  private func report(_ names: [String], cost: Report.Cost? = nil) -> Report {
    report(names.map { .named($0) }, cost: cost)
  }

  @Test func `lines, addresses, durations, threads and versions do not matter`() {
    let one = report([.named("!f()", line: 1, offset: 2), .named("!a", line: 3), .named("@timer")])
    var other = report([.named("!closure #1 in f()", line: 9, offset: 7), .named("!a"), .named("@timer")])
    other.time.duration = .seconds(9)
    other.loop.thread.tid = 7
    other.loop.name = "second"
    other.app.version = "9"
    other.host.name = "elsewhere"
    other.computeFingerprint()
    #expect(one.fingerprint?.hash == other.fingerprint?.hash)
    #expect(one.fingerprint?.level1 == other.fingerprint?.level1)
  }

  @Test func `another caller is a variant of the same issue`() {
    let one = report(["!f", "!a", "@timer"])
    let other = report(["!f", "!b", "@timer"])
    #expect(one.fingerprint?.level1 == other.fingerprint?.level1)
    #expect(one.fingerprint?.hash != other.fingerprint?.hash)
  }

  @Test func `culprit, phase, verdict and kind make different issues`() {
    var block = report(["!f", "@timer"])
    block.phase.name = .block
    block.computeFingerprint()
    let reports = [
      report(["!f", "@timer"]), report(["!g", "@timer"]), report(["!f", "@timer"], cost: blocked), block,
      report([.named("!f"), .named("@timer")], kind: .backlog),
    ]
    #expect(Set(reports.compactMap { $0.fingerprint?.level1 }).count == reports.count)
  }

  @Test func `what a blocked culprit waits for matters, not how the C library waits`() {
    let one = report(["~__lll_lock_wait", "~pthread_mutex_lock", "!f", "@timer"], cost: blocked)
    let same = report(["~___pthread_mutex_lock", "!f", "@timer"], cost: blocked)
    let other = report(["~fsync", "!f", "@timer"], cost: blocked)
    #expect(one.fingerprint?.hash == same.fingerprint?.hash)
    #expect(one.fingerprint?.hash != other.fingerprint?.hash)
    #expect(one.fingerprint?.basis == ["stall", "mainspring", "timer", "blocked", "<lock>", "f"])
  }

  @Test func `a starved host makes one issue, whatever the stack`() {
    let starved = Report.Cost(
      window: .seconds(1), cpu: .zero, runnable: .seconds(1), offCPU: .zero)
    let one = report(["!f", "@timer"], cost: starved)
    #expect(one.fingerprint == report(["!g", "@timer"], cost: starved).fingerprint)
    #expect(one.fingerprint?.basis == ["maild", "mainspring", "host-starved"])
  }

  @Test func `the numbers stay the same for ever`() {
    let fingerprint = report(["!MailStore.reindex()", "@timer"]).fingerprint
    #expect(fingerprint?.basis == ["stall", "mainspring", "timer", "busy", "MailStore.reindex()"])
    #expect(fingerprint?.title == "MailStore.reindex() in timer callback")
    #expect(fingerprint?.version == 1)
    #expect(fingerprint?.level1 == "03a3b7c7")
    #expect(fingerprint?.hash == "20e70669f3ab200e")
  }
}
