import LinuxKernel
import Synchronization

extension RunLoop {
  /// Writes down in a trace what the loop does from now on: runs and their nesting, passes, callouts with file and line,
  /// sleep. Any thread, at any moment; from another thread than the loop's from its next boundary between callouts on.
  ///
  /// A loop has one trace at a time; another takes its place. Any number of loops may have the same. The loop allocates
  /// nothing for it after this call, and waits for nobody: it stores its steps into memory of a fixed size, which the trace's thread
  /// empties. Each step costs a look at the clock; a loop that is not traced pays nothing.
  ///
  /// - Returns: false if the loop has ended, or the trace was closed.
  @discardableResult
  public func trace(to trace: Trace) -> Bool {
    guard !isClosed, let recorder = trace.makeRecorder(for: self) else { return false }
    if isOnOwnThread, !hasEarlierMail {
      put(recorder)
    } else if !send(concerning: .all, { $0.put(recorder) }) {
      recorder.end()
      return false
    }
    return true
  }

  /// Ends the tracing of this loop; the trace goes on for others. Any thread, also of a loop that is not traced; from another
  /// thread than the loop's it takes effect at the next boundary between callouts.
  public func stopTracing() {
    if isOnOwnThread, !hasEarlierMail { put(nil) } else { send(concerning: .all) { $0.put(nil) } }
  }

  /// On the loop's thread.
  func put(_ recorder: TraceRecorder?) {
    if let former = self.recorder {
      beacon.remove(.trace)
      record(.outside, .ended, at: poller.now())
      former.end()
    }
    self.recorder = recorder
    guard let recorder else { return }
    recorder.thread.store(beacon.thread.load(ordering: .relaxed), ordering: .relaxed)
    record(beacon.shown.phase, .shown, at: poller.now())
    beacon.add(.trace)
  }

  /// Writes a step down. On the loop's thread, also in a signal handler on it.
  func record(_ phase: Phase, _ kind: TraceStep.Kind, at now: UInt64) {
    guard let recorder else { return }
    // Let go of at the next boundary.
    if recorder.isClosed { return beacon.remove(.trace) }
    recorder.record(
      TraceStep(
        time: now, site: phase.isCallout ? beacon.site : .unknown, pass: passesBegun,
        depth: UInt32(truncatingIfNeeded: runDepth),
        mode: Beacon.State(rawValue: shownRun).modeNumber.map { $0 + 1 } ?? 0,
        phase: phase, kind: kind))
  }
}

extension MainRunLoop {
  /// As `RunLoop.trace(to:)`.
  @discardableResult
  public func trace(to trace: RunLoop.Trace) -> Bool { base.trace(to: trace) }

  /// As `RunLoop.stopTracing()`.
  public func stopTracing() { base.stopTracing() }
}
