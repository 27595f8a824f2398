import Glibc
import StallMonitor
import StallReport

/// Stalls that are made up, some at a time, each in several states.
enum Keeping {
  static func run(in folder: String) throws -> Never {
    var configuration = StallMonitor.Configuration()
    // Whatever is not there was lost.
    configuration.retention.reportCountMax = .max
    configuration.retention.byteCountMax = .max
    configuration.onFailure = { ArchiveProgram.tell("failure \($0)") }
    let archivist = try Archivist(configuration, at: ArchivePlace(path: folder))
    archivist.tidy(at: 1)
    var open: [Report] = []
    var now: UInt64 = 2_000_000_000
    while true {
      now += 100_000_000
      if open.count < 3, Bool.random() {
        open.append(report(startingAt: now))
        keep(&open[open.count - 1], archivist, isLast: false)
      } else if !open.isEmpty {
        let index = Int.random(in: open.indices)
        open[index].time.duration += .milliseconds(100)
        let isLast = Bool.random()
        if isLast { archivist.noteEnds([(open[index].id, now)]) }
        keep(&open[index], archivist, isLast: isLast)
        if isLast { open.remove(at: index) }
      }
      archivist.noteSeen(at: now, now: now)
    }
  }

  private static func keep(_ report: inout Report, _ archivist: Archivist, isLast: Bool) {
    if isLast { report.state = .recovered }
    // Now and then it turns out to be another issue.
    if Int.random(in: 0..<4) == 0 { report.phase.name = [.timer, .source, .block].randomElement()! }
    report.computeFingerprint()
    guard archivist.keep(report, isLast: isLast, isUrgent: false) else { return }
    ArchiveProgram.tell("\(report.id) \(report.state) kept")
  }

  private static func report(startingAt start: UInt64) -> Report {
    var time = timespec()
    // SAFETY: the call writes one timespec, which outlives it.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    let unix = Report.UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    return Report(
      id: .random(), kind: .stall, state: .ongoing, app: Report.Application(name: "made up"),
      process: Report.Process(pid: Int(getpid())),
      loop: Report.Loop(id: 1, name: "none", thread: Report.ThreadName(tid: 1, name: nil), mode: nil),
      phase: Report.Phase(name: .timer),
      time: Report.Time(
        startUnix: unix, start: Report.MonotonicTime(nanoseconds: start), end: nil,
        threshold: .milliseconds(250),
        duration: .milliseconds(250)),
      cost: Report.Cost(), monitor: Report.Monitor(version: "0"))
  }
}
