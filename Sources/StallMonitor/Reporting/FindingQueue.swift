import LinuxKernel

/// Findings on their way from the watcher's thread to the reporter's, in order.
///
/// Names and files take a reporter up to seconds on a slow machine; the watcher goes on meanwhile.
final class FindingQueue: Sendable {
  private struct State {
    var findings: [Finding] = []
    var droppedCount = 0
    var isClosed = false
  }

  /// As many wait at most; further ones are counted only. Each holds the stacks of one stall.
  static let countMax = 64

  private let state = Locked(State())
  /// Grows with each change: what the taker sleeps on.
  private let changes = FutexWord(0)

  /// What the taker is given: all findings there are, and how many found no room since the last time.
  struct Batch: Sendable {
    var findings: [Finding]
    var droppedCount: Int
  }

  /// Adds one. The end of a stall takes the place of its beginning, if that is still here.
  func append(_ finding: Finding) {
    state.withLock { state in
      if let index = state.findings.firstIndex(where: { $0.identifier == finding.identifier }) {
        state.findings[index] = finding
      } else if state.findings.count < Self.countMax {
        state.findings.append(finding)
      } else {
        state.droppedCount += 1
      }
    }
    ring()
  }

  /// Whether nothing waits to be taken.
  var isEmpty: Bool { state.withLock { $0.findings.isEmpty } }

  /// No finding comes any more.
  func close() {
    state.withLock { $0.isClosed = true }
    ring()
  }

  /// Waits for findings, until a moment on the monotonic clock, ns, if one is given: then what it gives is empty. Nil once
  /// the queue is closed and empty.
  func take(until deadline: UInt64? = nil) -> Batch? {
    while true {
      let seen = changes.load()
      let (batch, isClosed) = state.withLock { state -> (Batch, Bool) in
        defer { (state.findings, state.droppedCount) = ([], 0) }
        return (Batch(findings: state.findings, droppedCount: state.droppedCount), state.isClosed)
      }
      if !batch.findings.isEmpty || batch.droppedCount > 0 { return batch }
      if isClosed { return nil }
      if changes.wait(while: seen, until: deadline) == .timedOut { return batch }
    }
  }

  private func ring() {
    var seen = changes.load()
    while !changes.compareExchange(seen, seen &+ 1) { seen = changes.load() }
    changes.wake(all: true)
  }
}
