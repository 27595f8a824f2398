import Dispatch
import Glibc
import Mainspring
import StallMonitor
import StallReport
import Synchronization

/// A loop that is held up by its own work, by sleep, and by a lock that another thread holds.
final class StalledService: Sendable {
  private let finished = Mutex<[Report]>([])
  /// Counts the stalls of which a report has all threads: each lasts until it does.
  private let confirmed = Atomic(0)
  private let index = Mutex<UInt64>(0)

  /// The reports of all stalls, as they are when these are over.
  func reports() throws -> [Report] {
    var configuration = StallMonitor.Configuration()
    configuration.threshold = .milliseconds(60)
    configuration.severeThresholds = [.milliseconds(150)]
    configuration.programName = "mail"
    configuration.programVersion = "2.3.1"
    configuration.onReport = { report in
      if report.state != .ongoing {
        self.finished.withLock { $0.append(report) }
      } else if report.threads.count > 1 {
        self.confirmed.add(1, ordering: .releasing)
      }
    }
    let monitor = try StallMonitor(configuration)
    let writer = try RunLoopThread(named: "db-writer")
    let loop = RunLoop.current
    monitor.watch(loop, as: "main")
    // One after the other: what is due together is served by one pass.
    loop.add(
      RunLoop.Timer(after: .milliseconds(20)) { _ in
        self.reindex()
        loop.add(
          RunLoop.Timer(after: .milliseconds(20)) { _ in
            self.waitForWriter(writer)
            loop.add(RunLoop.Timer(after: .milliseconds(20)) { _ in self.poll() }, to: .default)
          }, to: .default)
      }, to: .default)
    loop.run()
    monitor.stop(waitingFor: .seconds(30))
    writer.stop()
    return finished.withLock { $0 }
  }

  /// Does `work` until the monitor has taken all threads of the stall that this is.
  private func stall(_ work: () -> Void) {
    let before = confirmed.load(ordering: .acquiring)
    while confirmed.load(ordering: .acquiring) < before + 1 { work() }
  }

  @inline(never)
  private func reindex() {
    stall { tokenize() }
  }

  @inline(never)
  private func tokenize() {
    var sum: UInt64 = 1
    for word in UInt64(0)..<2_000_000 { sum = sum &* 31 &+ word }
    index.withLock { $0 &+= sum }
  }

  @inline(never)
  private func poll() {
    stall { usleep(20_000) }
  }

  /// The writer holds the lock until the monitor has seen who waits for whom.
  @inline(never)
  private func waitForWriter(_ writer: RunLoopThread) {
    let isHeld = DispatchSemaphore(value: 0)
    writer.perform { self.write(isHeld) }
    isHeld.wait()
    index.withLock { $0 &+= 1 }
  }

  @inline(never)
  private func write(_ isHeld: DispatchSemaphore) {
    index.withLock { sum in
      isHeld.signal()
      let before = confirmed.load(ordering: .acquiring)
      while confirmed.load(ordering: .acquiring) < before + 1 { sum = sum &* 31 &+ 7 }
    }
  }
}
