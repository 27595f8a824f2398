/// What a run in one mode sees: the mode's own scope and, if it is a common mode, that of the common modes.
///
/// Made once for each mode that was ever run and kept by the loop. Only on the loop's thread.
final class ModeView {
  let mode: RunLoop.Mode
  let own: Scope
  /// The common scope, once the mode is common.
  @safe @exclusivity(unchecked) var common: Scope?
  /// What the mode waits on where it holds descriptors.
  @safe @exclusivity(unchecked) var waitSet: ModeWaitSet?

  /// By activity, in the order in which they are called.
  @safe @exclusivity(unchecked) private var listeners = [[RunLoop.Observer]](repeating: [], count: 6)
  @safe @exclusivity(unchecked) private var observedActivities: RunLoop.Activity = []
  @safe @exclusivity(unchecked) private var seenRevisions = (own: -1, common: -1)

  init(mode: RunLoop.Mode, own: Scope, common: Scope?) {
    self.mode = mode
    self.own = own
    self.common = common
  }

  @inline(__always)
  var isEmpty: Bool { own.isEmpty && (common?.isEmpty ?? true) }

  func includes(_ item: RunLoop.Item) -> Bool {
    item.isMember(of: mode) || (common != nil && item.isMember(of: .common))
  }

  /// Whether anybody listens to the activity.
  @inline(__always)
  func isObserved(_ activity: RunLoop.Activity) -> Bool {
    if !isUpToDate { refresh() }
    return observedActivities.contains(activity)
  }

  /// Those who listen to it, in the order in which they are called.
  @inline(__always)
  func observers(of activity: RunLoop.Activity) -> [RunLoop.Observer] {
    listeners[activity.rawValue.trailingZeroBitCount]
  }

  /// Grows whenever an observer comes or goes.
  @inline(__always)
  var revision: Int { own.revision &+ (common?.revision ?? 0) }

  /// Whether no observer came or went since the lists were made.
  @inline(__always)
  private var isUpToDate: Bool {
    own.revision == seenRevisions.own && (common?.revision ?? 0) == seenRevisions.common
  }

  private func refresh() {
    seenRevisions = (own.revision, common?.revision ?? 0)
    var observers = own.observers
    if let common { observers = (observers + common.observers).sorted { $0.isBefore($1) } }
    observedActivities = observers.reduce(into: []) { $0.formUnion($1.observer.activities) }
    for bit in listeners.indices {
      listeners[bit] = observers.map(\.observer).filter { $0.activities.rawValue & (1 << UInt8(bit)) != 0 }
    }
  }

  /// Lets go of observers: one that has left must not live on in the lists until its mode runs again, nor, by its
  /// reference to the loop, keep an ended loop for ever.
  func forgetListeners() {
    seenRevisions = (-1, -1)
    let former = listeners
    listeners = [[RunLoop.Observer]](repeating: [], count: 6)
    _ = consume former
  }

  // MARK: blocks

  @inline(__always)
  var hasBlocks: Bool { !own.blocks.isEmpty || !(common?.blocks.isEmpty ?? true) }

  /// The block that was queued first, if that was no later than `last`.
  @inline(__always)
  func takeBlock(upTo last: UInt64) -> Block? {
    let ownFirst = own.blocks.firstSequence
    let commonFirst = common?.blocks.firstSequence ?? .max
    guard min(ownFirst, commonFirst) <= last else { return nil }
    return ownFirst < commonFirst ? own.blocks.removeFirst() : common!.blocks.removeFirst()
  }

  // MARK: timers

  @inline(__always)
  var timerLowerBound: UInt64 { min(own.timers.lowerBound, common?.timers.lowerBound ?? .max) }

  /// When the loop has to be awake for the timers of the monotonic clock at the latest.
  func nextTimerWake() -> UInt64 { min(own.timers.nextWake(), common?.timers.nextWake() ?? .max) }

  /// The timer that is due first at `now`, moved to the batch.
  func takeDueTimer(at now: UInt64) -> RunLoop.Timer? {
    Self.takeDueTimer(at: now, from: own.timers, common?.timers)
  }

  private static func takeDueTimer(
    at now: UInt64, from own: TimerQueue, _ common: TimerQueue?
  ) -> RunLoop.Timer? {
    let ownFirst = unsafe own.firstDue(at: now)
    guard let common, let commonFirst = unsafe common.firstDue(at: now) else {
      // SAFETY: links in a queue are live, and so are their timers: the scope keeps them.
      guard let link = unsafe ownFirst else { return nil }
      unsafe own.moveToBatch(link)
      return unsafe link.pointee.timer
    }
    if let link = unsafe ownFirst, unsafe TimerLink.isBefore(link, commonFirst) {
      unsafe own.moveToBatch(link)
      return unsafe link.pointee.timer
    }
    unsafe common.moveToBatch(commonFirst)
    return unsafe commonFirst.pointee.timer
  }

  func advanceTimers(to now: UInt64) {
    own.timers.advance(to: now)
    common?.timers.advance(to: now)
  }

  // MARK: timers of other clocks

  @inline(__always)
  var hasOtherTimers: Bool { own.hasOtherTimers || (common?.hasOtherTimers ?? false) }

  /// When the loop has to be awake for the timers of another clock at the latest, on that clock.
  func nextTimerWake(on clock: RunLoop.TimerClock) -> UInt64 {
    otherQueues(on: clock).reduce(.max) { min($0, $1.nextWake()) }
  }

  /// The timers of another clock that are due, in fire order, moved to the batch.
  func takeDueTimers(on clock: RunLoop.TimerClock, at now: UInt64, atMost limit: Int) -> [RunLoop.Timer] {
    let queues = otherQueues(on: clock)
    guard let first = queues.first else { return [] }
    for queue in queues { queue.advance(to: now) }
    var taken: [RunLoop.Timer] = []
    while taken.count < limit,
      let timer = Self.takeDueTimer(at: now, from: first, queues.count > 1 ? queues[1] : nil)
    {
      taken.append(timer)
    }
    return taken
  }

  private func otherQueues(on clock: RunLoop.TimerClock) -> [TimerQueue] {
    (own.otherTimers + (common?.otherTimers ?? [])).filter { $0.clock == clock }.map(\.queue)
  }

  // MARK: sources and ports

  @inline(__always)
  var hasSignalledSources: Bool { !own.signalled.isEmpty || !(common?.signalled.isEmpty ?? true) }

  @inline(__always)
  var hasReadyPorts: Bool { !own.readyPorts.isEmpty || !(common?.readyPorts.isEmpty ?? true) }

  func takeReadyPorts() -> [RunLoop.AnyPort] {
    var taken = Self.takePorts(from: own)
    if let common { taken += Self.takePorts(from: common) }
    return taken
  }

  private static func takePorts(from scope: Scope) -> [RunLoop.AnyPort] {
    let listed = scope.readyPorts
    scope.readyPorts.removeAll(keepingCapacity: true)
    for port in listed { port.unenlist(from: scope.mode) }
    // What came to it may have been delivered in another of its modes.
    return listed.filter(\.hasMessages)
  }

  // MARK: descriptors

  @inline(__always)
  var hasDescriptors: Bool { own.hasDescriptors || common?.hasDescriptors ?? false }

  /// Whether the mode waits for what only the kernel's set can tell: descriptors, or other clocks than the monotonic.
  @inline(__always)
  var needsWaitSet: Bool { hasDescriptors || hasOtherTimers }

  /// Drops the wait set if nothing needs it.
  func giveBackWaitSet() {
    if waitSet?.isEmpty ?? false, !hasOtherTimers { waitSet = nil }
  }

  var descriptors: [RunLoop.DescriptorSource] { own.descriptors + (common?.descriptors ?? []) }
}
