/// What a run in one mode sees: the mode's own scope and, if it is a common mode, that of the common modes.
///
/// Made once for each mode that was ever run and kept by the loop. Only on the loop's thread.
@safe final class ModeView {
  let mode: RunLoop.Mode
  let own: Scope
  /// Whether the mode is one of the common ones.
  @safe @exclusivity(unchecked) private(set) var isCommon: Bool
  /// The common scope, once the mode is common and there is one.
  @safe @exclusivity(unchecked) var common: Scope? { didSet { observersChanged() } }
  /// What the mode waits on where it holds descriptors.
  @safe @exclusivity(unchecked) var waitSet: ModeWaitSet? {
    didSet { unsafe borrowedWaitSet = waitSet.map { unsafe Unmanaged.passUnretained($0) } }
  }
  /// The same without counting references. SAFETY: goes with it.
  @exclusivity(unchecked) private(set) var borrowedWaitSet: Unmanaged<ModeWaitSet>?

  /// By activity, in the order in which they are called. SAFETY: the scopes keep them; who leaves is forgotten here.
  /// None while there are no observers.
  @exclusivity(unchecked) private var listeners = unsafe Listeners()
  /// Those that somebody listens to; all while the lists are not up to date.
  @safe @exclusivity(unchecked) private var observedActivities: RunLoop.Activity = .all
  @safe @exclusivity(unchecked) private var listsAreUpToDate = false
  /// Grows whenever an observer comes or goes.
  @safe @exclusivity(unchecked) private(set) var revision = 0

  private typealias Listeners = ContiguousArray<ContiguousArray<Unmanaged<RunLoop.Observer>>>

  init(mode: RunLoop.Mode, own: Scope, isCommon: Bool, common: Scope?) {
    self.mode = mode
    self.own = own
    self.isCommon = isCommon
    self.common = common
  }

  /// The mode became common; with the common scope, if there is one.
  func becomeCommon(with common: Scope?) {
    isCommon = true
    self.common = common
  }

  @inline(__always)
  var isEmpty: Bool { own.isEmpty && (common?.isEmpty ?? true) }

  func includes(_ item: RunLoop.Item) -> Bool {
    item.isMember(of: mode) || (common != nil && item.isMember(of: .common))
  }

  /// Whether somebody listens to the activity, or may: for who then looks at the list.
  @inline(__always)
  func mayBeObserved(_ activity: RunLoop.Activity) -> Bool { observedActivities.contains(activity) }

  /// Whether anybody listens to the activity.
  func isObserved(_ activity: RunLoop.Activity) -> Bool {
    if !listsAreUpToDate { refresh() }
    return observedActivities.contains(activity)
  }

  /// Those who listen to it, in the order in which they are called.
  func observers(of activity: RunLoop.Activity) -> ContiguousArray<Unmanaged<RunLoop.Observer>> {
    if !listsAreUpToDate { refresh() }
    return unsafe listeners.isEmpty ? [] : listeners[activity.rawValue.trailingZeroBitCount]
  }

  /// An observer came or went.
  func observersChanged() {
    revision &+= 1
    listsAreUpToDate = false
    observedActivities = .all
  }

  @inline(never)
  private func refresh() {
    listsAreUpToDate = true
    if own.observers.isEmpty, common?.observers.isEmpty ?? true {
      observedActivities = []
      if unsafe !listeners.isEmpty { unsafe listeners = [] }
      return
    }
    var observers = own.observers
    if let common { observers = (observers + common.observers).sorted { $0.isBefore($1) } }
    observedActivities = observers.reduce(into: []) { $0.formUnion($1.observer.activities) }
    unsafe listeners = Listeners(repeating: [], count: 6)
    for bit in unsafe listeners.indices {
      let listening = observers.map(\.observer).filter { $0.activities.rawValue & (1 << UInt8(bit)) != 0 }
      unsafe listeners[bit] = unsafe ContiguousArray(listening.map { unsafe Unmanaged.passUnretained($0) })
    }
  }

  /// Whether an observer has something to do before the loop sleeps.
  @inline(__always)
  var hasWorkingObserver: Bool { own.hasWorkingObserver || (common?.hasWorkingObserver ?? false) }

  // MARK: blocks

  @inline(__always)
  var hasBlocks: Bool { !own.blocks.isEmpty || !(common?.blocks.isEmpty ?? true) }

  /// The number of the block that is next, or the largest number if there is none.
  var firstBlockSequence: UInt64 { min(own.blocks.firstSequence, common?.blocks.firstSequence ?? .max) }

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

  /// Whether a timer is armed, on whatever clock.
  @inline(__always)
  var hasTimers: Bool { own.timers.count > 0 || common?.timers.count ?? 0 > 0 || hasOtherTimers }

  /// When the loop has to be awake for the timers of the monotonic clock at the latest.
  func nextTimerWake() -> UInt64 { min(own.timers.nextWake(), common?.timers.nextWake() ?? .max) }

  /// Takes the timers that are due at `now` out for the batch, in fire order, until it holds `limit`.
  func takeDueTimers(
    at now: UInt64, into batch: inout ContiguousArray<Unmanaged<RunLoop.Timer>>, atMost limit: Int
  ) {
    if let common, common.timers.count > 0 {
      unsafe Self.takeDueTimers(at: now, from: own.timers, common.timers, into: &batch, atMost: limit)
    } else {
      unsafe own.timers.takeDue(at: now, into: &batch, atMost: limit)
    }
  }

  private static func takeDueTimers(
    at now: UInt64, from own: TimerQueue, _ common: TimerQueue,
    into batch: inout ContiguousArray<Unmanaged<RunLoop.Timer>>, atMost limit: Int
  ) {
    while unsafe batch.count < limit {
      let (ownFirst, commonFirst) = unsafe (own.firstDue(at: now), common.firstDue(at: now))
      // SAFETY: links in a queue are live, and so are their timers: the scope keeps them.
      if let link = unsafe ownFirst, unsafe commonFirst.map({ unsafe TimerLink.isBefore(link, $0) }) ?? true {
        unsafe own.moveToBatch(link)
        unsafe batch.append(TimerLink.timer(of: link))
      } else if let link = unsafe commonFirst {
        unsafe common.moveToBatch(link)
        unsafe batch.append(TimerLink.timer(of: link))
      } else {
        return
      }
    }
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
  func takeDueTimers(
    on clock: RunLoop.TimerClock, at now: UInt64, atMost limit: Int
  ) -> ContiguousArray<Unmanaged<RunLoop.Timer>> {
    let queues = otherQueues(on: clock)
    var taken: ContiguousArray<Unmanaged<RunLoop.Timer>> = unsafe []
    for queue in queues { queue.advance(to: now) }
    if queues.count > 1 {
      unsafe Self.takeDueTimers(at: now, from: queues[0], queues[1], into: &taken, atMost: limit)
    } else if let only = queues.first {
      unsafe only.takeDue(at: now, into: &taken, atMost: limit)
    }
    return unsafe taken
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
