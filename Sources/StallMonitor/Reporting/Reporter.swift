import LinuxKernel
import Mainspring
import StallReport
import Symbols
import Synchronization

/// Turns what was found into reports, writes them and hands them out, on a thread of its own.
final class Reporter: Sendable {
  private let configuration: StallMonitor.Configuration
  private let folder: ReportFolder?
  private let queue = Locked(Queue())
  /// Grows with everything that is put into the queue.
  private let bell = FutexWord(0)
  private let finished = FutexWord(0)

  private struct Queue {
    var entries: [Entry] = []
    var isClosed = false
  }

  private enum Entry {
    case finding(Finding, wakeUps: Int)
    case failure(String)
  }

  init(_ configuration: StallMonitor.Configuration, folder: ReportFolder?) {
    self.configuration = configuration
    self.folder = folder
  }

  func start() throws(KernelError) {
    try NativeThread.start(named: "stall-reporter", stackBytes: 4 << 20) { [self] in
      run()
      _ = finished.exchange(1)
      finished.wake(all: true)
    }
  }

  // MARK: from the watcher's thread

  func take(_ finding: Finding, wakeUps: Int) { put(.finding(finding, wakeUps: wakeUps)) }

  func fail(_ reason: String) { put(.failure(reason)) }

  /// Nothing comes any more.
  func finish() {
    queue.withLock { $0.isClosed = true }
    ring()
  }

  private func put(_ entry: Entry) {
    queue.withLock { $0.entries.append(entry) }
    ring()
  }

  private func ring() {
    _ = bell.exchange(1)
    bell.wake()
  }

  /// Waits until everything was written; says whether that was within the limit. Any thread but the reporter's.
  func waitUntilFinished(_ limit: Duration) -> Bool {
    let deadline = RunLoop.Instant.now.advanced(by: limit).nanoseconds
    while finished.load() == 0 {
      if finished.wait(while: 0, until: deadline) == .timedOut { return finished.load() != 0 }
    }
    return true
  }

  // MARK: on the reporter's thread

  private func run() {
    var writer = ReportWriter(configuration, folder: folder)
    while true {
      _ = bell.exchange(0)
      let (entries, isClosed) = queue.withLock { queue -> ([Entry], Bool) in
        defer { queue.entries = [] }
        return (queue.entries, queue.isClosed)
      }
      for entry in entries {
        switch entry {
        case .finding(let finding, let wakeUps): writer.report(finding, wakeUps: wakeUps)
        case .failure(let reason): configuration.onFailure?(reason)
        }
      }
      if isClosed, entries.isEmpty { return }
      if entries.isEmpty { bell.wait(while: 0, until: nil) }
    }
  }
}
