import LinuxKernel
import Synchronization

/// Called in tests for everything that a pass does, in order. Costs a comparison where there is none.
package protocol PassTracer: AnyObject {
  /// The loop entered a phase; for callouts, whose.
  func entered(_ phase: Phase, nesting: Int, site: CallSite?)
}

extension RunLoop {
  /// Shows on the beacon that user code is being called, and whose. A few plain stores.
  @inline(__always)
  func beginCallout(_ phase: Phase, _ site: CallSite) {
    beacon.show(site)
    beacon.countCallout()
    if beacon.hasListeners { noteCallout(phase, site) }
    store(phase)
  }

  @inline(never)
  private func noteCallout(_ phase: Phase, _ site: CallSite) {
    noteShown(phase)
    if tracer != nil { tellTests(phase, site) }
  }

  @inline(never)
  func tellTests(_ phase: Phase, _ site: CallSite?) {
    tracer?.entered(phase, nesting: stops.depth, site: site)
  }

  @inline(__always)
  func endCallout(_ phase: Phase) { show(.betweenCallouts) }

  @inline(__always)
  func callOut(_ phase: Phase, _ site: CallSite, _ body: () -> Void) {
    // A callout may happen inside another (a source that is removed by a timer): put that one back after it.
    let phaseBefore = Beacon.State(rawValue: beacon.state.load(ordering: .relaxed)).phase
    let siteBefore = beacon.site
    let isOutsideRuns = !stops.isRunning
    if isOutsideRuns { countCalloutOutsideRuns(1) }
    beginCallout(phase, site)
    body()
    beacon.show(siteBefore)
    show(phaseBefore)
    if isOutsideRuns { countCalloutOutsideRuns(-1) }
  }

  /// Shows a phase of the innermost run.
  @inline(__always)
  func show(_ phase: Phase) {
    if beacon.hasListeners { noteShown(phase) }
    store(phase)
  }

  @inline(__always)
  private func store(_ phase: Phase) {
    let state = Beacon.State(progress: progress, run: shownRun, phase: phase)
    beacon.state.store(state.rawValue, ordering: .releasing)
  }

  /// Shows that the loop got somewhere: a pass began, a wait or a nested run ended.
  @inline(__always)
  func showProgress(_ phase: Phase) {
    progress &+= 1
    if beacon.isWatched { stampProgress() }
    show(phase)
  }

  @inline(never)
  private func stampProgress() {
    let isMeasured = beacon.lag.isSet
    guard hasKernelClocks else { return beacon.stampProgress(isMeasured ? poller.now() : poller.coarseNow()) }
    // Ticks of some milliseconds tell a stall; to count short passes takes the clock itself.
    beacon.stampProgress(isMeasured ? MonotonicClock.now() : MonotonicClock.coarseNow())
  }

  /// A phase is about to be shown.
  @inline(never)
  private func noteShown(_ phase: Phase) {
    let listeners = beacon.listeners
    guard !listeners.isDisjoint(with: [.lag, .trace]) else { return }
    let now = hasKernelClocks ? MonotonicClock.now() : poller.now()
    if listeners.contains(.lag) { beacon.lag.object?.notePhaseEnd(beacon.shown.phase, at: now) }
    if listeners.contains(.trace) { record(phase, .shown, at: now) }
  }

  /// Shows that an observer is being called, or something that was given to it.
  @inline(__always)
  func showObserver(_ phase: Phase, _ site: CallSite) {
    beacon.show(site)
    beacon.countCallout()
    if beacon.hasListeners { noteObserver(phase, site) }
  }

  @inline(never)
  private func noteObserver(_ phase: Phase, _ site: CallSite) {
    if tracer != nil { tellTests(phase, site) }
    if recorder != nil { record(phase, .called, at: hasKernelClocks ? MonotonicClock.now() : poller.now()) }
  }

  /// Shows that the wait is over, and wakes the watcher that was told it could sleep meanwhile.
  func showAwake() {
    showProgress(.betweenCallouts)
    guard beacon.isWatched else { return }
    beacon.awakeSince.store(beacon.since.load(ordering: .relaxed), ordering: .relaxed)
    // A full barrier between showing and looking, as the parking protocol wants it.
    _ = beacon.state.exchange(beacon.state.load(ordering: .relaxed), ordering: .sequentiallyConsistent)
    WatcherParking.loopIsBusy()
  }

  // MARK: observers

  @inline(__always)
  func notify(_ activity: Activity, _ phase: Phase, _ view: ModeView) {
    if tracer != nil { tellTests(phase, nil) }
    if view.mayBeObserved(activity) { notifyObservers(activity, phase, view) }
  }

  @inline(never)
  private func notifyObservers(_ activity: Activity, _ phase: Phase, _ view: ModeView) {
    // The list as of now: who is added during the activity waits for the next. Who is removed is not called.
    let observers = unsafe view.observers(of: activity)
    let revision = view.revision
    let outerListing = listing
    listing = lastSequence
    // Once for all of them: a run in one puts it back.
    show(phase)
    for index in unsafe observers.indices {
      // SAFETY: what leaves its mode during a pass lives until the pass is over, and where that is a nested run's, as
      // long as it may be on this list.
      unsafe observers[index]._withUnsafeGuaranteedRef { observer in
        guard observer.isValid, !observer.isInHandler, view.revision == revision || view.includes(observer)
        else { return }
        showObserver(phase, observer.site)
        observer.callOut(activity)
      }
    }
    listing = outerListing
    show(.betweenCallouts)
  }
}
