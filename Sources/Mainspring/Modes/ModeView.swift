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

  func nextTimerDue() -> UInt64 { min(own.timers.nextDue(), common?.timers.nextDue() ?? .max) }

  /// The timer that is due first at `now`, moved to the batch.
  func takeDueTimer(at now: UInt64) -> RunLoop.Timer? {
    let ownFirst = unsafe own.timers.firstDue(at: now)
    guard let commonTimers = common?.timers, let commonFirst = unsafe commonTimers.firstDue(at: now) else {
      // SAFETY: links in a queue are live, and so are their timers: the scope keeps them.
      guard let link = unsafe ownFirst else { return nil }
      unsafe own.timers.moveToBatch(link)
      return unsafe link.pointee.timer
    }
    if let link = unsafe ownFirst, unsafe Self.isBefore(link, commonFirst) {
      unsafe own.timers.moveToBatch(link)
      return unsafe link.pointee.timer
    }
    unsafe commonTimers.moveToBatch(commonFirst)
    return unsafe commonFirst.pointee.timer
  }

  private static func isBefore(_ a: TimerLink.Reference, _ b: TimerLink.Reference) -> Bool {
    if unsafe a.pointee.due != b.pointee.due { return unsafe a.pointee.due < b.pointee.due }
    return unsafe a.pointee.sequence < b.pointee.sequence
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
    return listed
  }

  func advanceTimers(to now: UInt64) {
    own.timers.advance(to: now)
    common?.timers.advance(to: now)
  }

  // MARK: descriptors

  @inline(__always)
  var hasDescriptors: Bool { own.hasDescriptors || common?.hasDescriptors ?? false }

  /// Drops the wait set if it holds nothing.
  func giveBackWaitSet() {
    if waitSet?.isEmpty ?? false { waitSet = nil }
  }

  var descriptors: [RunLoop.DescriptorSource] { own.descriptors + (common?.descriptors ?? []) }
}
