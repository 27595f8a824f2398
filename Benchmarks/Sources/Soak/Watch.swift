import Glibc
import Mainspring

/// Runs the two sides, writes down what the process holds, and judges.
@MainActor
final class Watch {
  private let request: SoakRequest
  private let tally = Tally()
  private let begin = RunLoop.Instant.now
  /// Once a tenth of the time, and at least the first half minute, has passed.
  private var settled: Footprint?
  private var last: (count: Int, at: RunLoop.Instant)
  private var failures: [String] = []
  private var other: RunLoopThread?

  nonisolated private static let tick = Duration.milliseconds(10)
  private static let ticksPerSecond = 100
  /// Between two lines.
  private static let interval = Duration.seconds(10)
  /// What the allocator's own tables, page tables and a burst under way may come to over hours, none of it growing with
  /// the operations.
  private static let growthKiB = 4096
  /// A mode's wait set and its alarms come and go.
  private static let growthDescriptors = 8

  init(_ request: SoakRequest) {
    self.request = request
    last = (0, begin)
  }

  /// Soaks; says whether all was well.
  func run() -> Bool {
    let main = RunLoop.main
    print("    TIME    OPERATIONS         A SECOND   MEMORY KIB   DESCRIPTORS   THREADS")
    do {
      let thread = try RunLoopThread(named: "other side")
      other = thread
      let (here, there) = (try Side(of: main.base, tally), try Side(of: thread.loop, tally))
      let operations = request.rate / Self.ticksPerSecond / 2
      try here.begin(beside: there, operations: operations, every: Self.tick)
      try thread.performAndWait { try there.begin(beside: here, operations: operations, every: Self.tick) }
      main.addTimer(every: Self.interval) { _ in self.look() }
      main.addTimer(every: .seconds(1)) { _ in self.startAndStopAThread() }
      main.run(in: .default, for: request.duration)
      here.end()
      try thread.performAndWait { there.end() }
      settle(main)
      judge()
      thread.stop()
    } catch {
      failures.append("\(error)")
    }
    for failure in failures { print("soak: \(failure)") }
    if failures.isEmpty { print("soak: nothing was lost and nothing grew") }
    return failures.isEmpty
  }

  /// What is under way comes to its end.
  private func settle(_ main: MainRunLoop) {
    let end = RunLoop.Instant.now.advanced(by: .seconds(30))
    while tally.doneCount < tally.askedCount, RunLoop.Instant.now < end {
      main.run(in: .default, for: .milliseconds(50), whenEmpty: .wait)
      for mode in Side.modes { main.run(in: mode, for: .zero) }
    }
  }

  private func look() {
    let (now, count, held) = (RunLoop.Instant.now, tally.doneCount, Footprint.now)
    let seconds = begin.duration(to: now) / .seconds(1)
    let rate = Double(count - last.count) / (last.at.duration(to: now) / .seconds(1))
    last = (count, now)
    print(
      pad("\(Int(seconds)) s", 8), pad("\(count)", 13), pad("\(Int(rate))", 16),
      pad("\(held.residentKiB)", 12),
      pad("\(held.descriptors)", 13), pad("\(held.threads)", 9))
    unsafe fflush(nil)
    if settled == nil, begin.duration(to: now) >= max(request.duration / 10, .seconds(30)) { settled = held }
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  /// Loops come and go as well.
  private func startAndStopAThread() {
    do {
      let thread = try RunLoopThread(named: "short-lived")
      tally.ask()
      try thread.performAndWait { [tally] in tally.note() }
      thread.stop()
    } catch { failures.append("a thread: \(error)") }
  }

  private func judge() {
    if tally.doneCount != tally.askedCount {
      failures.append("\(tally.askedCount - tally.doneCount) of \(tally.askedCount) operations were lost")
    }
    let rate = Double(tally.doneCount) / (request.duration / .seconds(1))
    if rate < 0.9 * Double(request.rate) {
      failures.append("only \(Int(rate)) operations a second, of \(request.rate)")
    }
    let held = Footprint.now
    guard let settled else {
      return failures.append("too short to tell whether anything grows: a minute at least")
    }
    if held.residentKiB > settled.residentKiB + Self.growthKiB {
      failures.append("memory grew from \(settled.residentKiB) to \(held.residentKiB) KiB")
    }
    if held.descriptors > settled.descriptors + Self.growthDescriptors {
      failures.append("descriptors grew from \(settled.descriptors) to \(held.descriptors)")
    }
    if held.threads > settled.threads {
      failures.append("threads grew from \(settled.threads) to \(held.threads)")
    }
  }
}
