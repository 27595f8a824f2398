import Glibc
import Mainspring
import StallMonitor
import StallReport
import Synchronization

/// Keeps reports, and tells the identifier and state of each, line by line, once it is kept: for tests that kill it. The
/// first argument names the folder, the second what to do: keep reports that are made up (`keep`), or stall and have them
/// made (`stall`), until it is killed; end by `exit` or `stop` while the first stall goes on; or end after files could not
/// grow for a while (`full`); or crash (`crash`, `crash-null-call`, `crash-elsewhere`).
@main
struct ArchiveProgram {
  static func main() throws {
    // Who starts it may be gone.
    alarm(60)
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { exit(2) }
    if arguments[2] == "keep" { try Keeping.run(in: arguments[1]) }
    if arguments[2].hasPrefix("crash") { try Crashing.run(in: arguments[1], arguments[2]) }
    try run(in: arguments[1], ending: arguments[2])
  }

  private static func run(in folder: String, ending: String) throws {
    let told = Told()
    var configuration = StallMonitor.Configuration()
    configuration.threshold = StallMonitor.Configuration.thresholdMin
    configuration.severeThresholds = [.milliseconds(30)]
    configuration.saturationThreshold = nil
    configuration.starvationThreshold = nil
    configuration.folder = folder
    configuration.limits = nil
    configuration.retention.reportCountMax = .max
    configuration.onReport = { report in
      tell("\(report.id) \(report.state) \(report.sampling.reason == nil ? "counted" : "kept")")
      told.count.add(1, ordering: .releasing)
    }
    configuration.onFailure = { tell("failure \($0)") }
    let monitor = try StallMonitor(configuration)
    let loop = RunLoop.current
    monitor.watch(loop, as: "stalling")
    loop.add(
      RunLoop.Timer(every: .milliseconds(5)) { timer in
        switch ending {
        case "exit":
          told.spinUntilMore()
          exit(0)
        case "stop":
          told.spinUntilMore()
          monitor.stop(waitingFor: .seconds(30))
          timer.invalidate()
        case "full": stallOnFullDisk(told, monitor, timer)
        default:
          let length = Duration.milliseconds(Int.random(in: 22...60))
          let end = RunLoop.Instant.now.advanced(by: length)
          spin { RunLoop.Instant.now >= end }
        }
      }, to: .default)
    loop.run()
  }

  /// Four stalls, the first two of which cannot be kept.
  private static func stallOnFullDisk(_ told: Told, _ monitor: StallMonitor, _ timer: RunLoop.Timer) {
    let number = told.stalls.add(1, ordering: .relaxed).newValue
    if number == 1 { allowFiles(ofBytes: 0) }
    told.spinUntilMore()
    if number == 2 { allowFiles(ofBytes: nil) }
    guard number == 4 else { return }
    timer.invalidate()
    monitor.stop(waitingFor: .seconds(30))
    tell("went on")
  }

  /// Writes beyond fail from now on; nil allows what was allowed at first.
  private static func allowFiles(ofBytes count: UInt?) {
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limit = rlimit()
    // SAFETY: both calls use one rlimit, which outlives them.
    unsafe getrlimit(resource, &limit)
    limit.rlim_cur = count ?? limit.rlim_max
    _ = unsafe setrlimit(resource, &limit)
  }

  private final class Told: Sendable {
    let count = Atomic<Int>(0)
    let stalls = Atomic<Int>(0)

    /// Until one more report has been told than before.
    func spinUntilMore() {
      let before = count.load(ordering: .acquiring)
      spin { count.load(ordering: .acquiring) > before }
    }
  }

  @inline(never)
  private static func spin(until isOver: () -> Bool) { while !isOver() {} }

  /// At once, and in one piece.
  static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // SAFETY: writes the array's bytes.
    _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
  }
}
