/// What a loop holds for one mode, or for its common modes together.
///
/// An item in the common modes stands once, in the scope of `.common`, and every common mode looks there too:
/// a mode that becomes common later sees it at once. Only on the loop's thread.
@safe final class Scope {
  let mode: RunLoop.Mode
  // SAFETY: a scope belongs to its loop and goes with it.
  private unowned(unsafe) let loop: RunLoop
  @safe @exclusivity(unchecked) var blocks = BlockQueue()
  /// The armed timers of the monotonic clock.
  let timers: TimerQueue
  /// Those of the other clocks, made when the first comes: most modes have none.
  @safe @exclusivity(unchecked) private(set) var otherTimers:
    [(clock: RunLoop.TimerClock, queue: TimerQueue)] = []
  /// Version-0 sources that were signalled; each may have been served or removed since.
  @safe @exclusivity(unchecked) var signalled: [RunLoop.Source] = []
  /// Ports that have messages; each may have been served or removed since.
  @safe @exclusivity(unchecked) var readyPorts: [RunLoop.AnyPort] = []
  @safe @exclusivity(unchecked) private(set) var observers: [Listener] = []
  /// With when each was added. By identity, since a server takes out one of very many at a time.
  @safe @exclusivity(unchecked) private var descriptorSources:
    [ObjectIdentifier: (source: RunLoop.DescriptorSource, sequence: UInt64)] = [:]
  /// Everything in the scope, kept alive by it, with when it was added.
  @safe @exclusivity(unchecked) private var members:
    [ObjectIdentifier: (item: RunLoop.Item, sequence: UInt64)] =
      [:]
  /// How many of the members keep a run going by themselves.
  @safe @exclusivity(unchecked) private var keepingCount = 0
  /// Changes whenever observers do, so that what a mode derives from them can be kept.
  @safe @exclusivity(unchecked) private(set) var revision = 0

  /// Whether anything was ever added or queued here: looking and running do not make a mode.
  var wasUsed: Bool { hasHeldItems || blocks.wasUsed }
  private var hasHeldItems = false

  /// An observer and when it was added, to be set among those of other scopes.
  struct Listener {
    let observer: RunLoop.Observer
    let sequence: UInt64

    func isBefore(_ other: Listener) -> Bool {
      (observer.order, sequence) < (other.observer.order, other.sequence)
    }
  }

  init(mode: RunLoop.Mode, of loop: RunLoop) {
    self.mode = mode
    unsafe self.loop = loop
    timers = TimerQueue(now: loop.poller.now())
  }

  /// Whether nothing here could ever call anybody.
  @inline(__always)
  var isEmpty: Bool { keepingCount == 0 && blocks.isEmpty && timers.count == 0 && !hasOtherTimers }

  /// Whether a timer of another clock than the monotonic is armed.
  @inline(__always)
  var hasOtherTimers: Bool { !otherTimers.isEmpty && otherTimers.contains { $0.queue.count > 0 } }

  func timers(on clock: RunLoop.TimerClock) -> TimerQueue {
    if clock == .monotonic { return timers }
    if let present = otherTimers.first(where: { $0.clock == clock }) { return present.queue }
    let made = unsafe TimerQueue(now: loop.poller.now(on: clock))
    otherTimers.append((clock, made))
    return made
  }

  /// The next number in the loop's order of arming and queueing.
  @inline(__always)
  func takeSequence() -> UInt64 { unsafe loop.takeSequence() }

  func insert(_ item: RunLoop.Item) {
    members[ObjectIdentifier(item)] = (item, takeSequence())
    hasHeldItems = true
    if item.keepsModeAlive { keepingCount += 1 }
  }

  /// Everything in the scope, in the order of adding.
  ///
  /// - Complexity: O(n log n).
  var membersInOrder: [RunLoop.Item] {
    members.values.sorted { $0.sequence < $1.sequence }.map(\.item)
  }

  /// When a member was added.
  func sequence(of item: RunLoop.Item) -> UInt64 {
    guard let member = members[ObjectIdentifier(item)] else {
      preconditionFailure("\(item) is not in \(mode)")
    }
    return member.sequence
  }

  func remove(_ item: RunLoop.Item) {
    guard members.removeValue(forKey: ObjectIdentifier(item)) != nil else { return }
    if item.keepsModeAlive { keepingCount -= 1 }
  }

  /// Takes an item off the lists of what is to be served.
  func strike(_ item: RunLoop.Item) {
    signalled.removeAll { $0 === item }
    readyPorts.removeAll { $0 === item }
  }

  /// By order number, then in the order of adding.
  func insert(_ observer: RunLoop.Observer, keeping sequence: UInt64?) {
    let added = Listener(observer: observer, sequence: sequence ?? takeSequence())
    observers.insert(added, at: observers.firstIndex(where: added.isBefore) ?? observers.endIndex)
    revision += 1
  }

  func place(of observer: RunLoop.Observer) -> UInt64? {
    observers.first { $0.observer === observer }?.sequence
  }

  func remove(_ observer: RunLoop.Observer) {
    observers.removeAll { $0.observer === observer }
    revision += 1
  }

  func insert(_ source: RunLoop.DescriptorSource) {
    descriptorSources[ObjectIdentifier(source)] = (source, takeSequence())
  }

  func remove(_ source: RunLoop.DescriptorSource) { descriptorSources[ObjectIdentifier(source)] = nil }

  @inline(__always)
  var hasDescriptors: Bool { !descriptorSources.isEmpty }

  /// In the order of adding.
  ///
  /// - Complexity: O(n log n).
  var descriptors: [RunLoop.DescriptorSource] {
    descriptorSources.values.sorted { $0.sequence < $1.sequence }.map(\.source)
  }
}
