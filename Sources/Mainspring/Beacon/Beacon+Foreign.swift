import LinuxKernel
import Synchronization

/// What whoever writes a beacon for a loop of others calls. One writer at a time, on the thread that works.
extension Beacon {
  /// What it shows now, for its writer.
  package var shown: State { State(rawValue: state.load(ordering: .relaxed)) }

  /// Shows a phase, and progress with it.
  @inline(__always)
  package func showProgress(_ phase: Phase, mode: RunLoop.Mode? = nil, nesting: Int) {
    let progress = shown.progress &+ 1
    if isWatched { stampProgress(lag.isSet ? MonotonicClock.now() : MonotonicClock.coarseNow()) }
    state.store(
      State(progress: progress, mode: mode, nesting: nesting, phase: phase).rawValue, ordering: .releasing)
  }

  /// Shows a phase of the same stretch of work.
  @inline(__always)
  package func showPhase(_ phase: Phase) {
    let shown = shown
    state.store(shown.rawValue & ~0xFF | UInt64(phase.rawValue), ordering: .releasing)
  }

  /// Shows that the loop is busy from here on, after it was not, and wakes the watcher that was told it could sleep.
  package func showAwake(_ phase: Phase, mode: RunLoop.Mode? = nil, nesting: Int) {
    showProgress(phase, mode: mode, nesting: nesting)
    guard isWatched else { return }
    awakeSince.store(since.load(ordering: .relaxed), ordering: .relaxed)
    // A full barrier between showing and looking, as the parking protocol wants it.
    _ = state.exchange(state.load(ordering: .relaxed), ordering: .sequentiallyConsistent)
    WatcherParking.loopIsBusy()
  }

  /// Shows that the loop waits.
  @inline(__always)
  package func showWaiting(mode: RunLoop.Mode? = nil, nesting: Int) {
    showProgress(.waiting, mode: mode, nesting: nesting)
    hasWaited.store(true, ordering: .relaxed)
  }

  /// Shows what is being called, and that one more callout was begun.
  @inline(__always)
  package func showCallout(_ site: CallSite) {
    fileAddress.store(site.fileAddress, ordering: .relaxed)
    line.store(site.line, ordering: .relaxed)
    callouts.store(callouts.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }
}
