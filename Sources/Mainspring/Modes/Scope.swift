/// What a loop holds for one mode, or for its common modes together.
///
/// An item in the common modes stands once, in the scope of `.common`, and every common mode looks there too:
/// a mode that becomes common later sees it at once. Only on the loop's thread.
@safe final class Scope {
  let mode: RunLoop.Mode
  // SAFETY: a scope belongs to its loop and goes with it.
  private unowned(unsafe) let loop: RunLoop
  let blockLine = BlockLine()
  /// The armed timers of the monotonic clock.
  let timers: TimerQueue
  /// Those of the other clocks, made when the first comes: most modes have none.
  @safe @exclusivity(unchecked) private(set) var otherTimers:
    [(clock: RunLoop.TimerClock, queue: TimerQueue)] = []
  /// Where jobs of executors wait, once there was one. SAFETY: the loop keeps it.
  @exclusivity(unchecked) var borrowedJobs: Unmanaged<JobGate>?
  /// Version-0 sources that were signalled; each may have been served or removed since.
  @safe @exclusivity(unchecked) var signalled: [RunLoop.Source] = []
  /// Ports that have messages; each may have been served or removed since.
  @safe @exclusivity(unchecked) var readyPorts: [RunLoop.AnyPort] = []
  @safe @exclusivity(unchecked) private(set) var observers: [Listener] = []
  /// How many of the members are descriptor sources.
  @safe @exclusivity(unchecked) private var descriptorCount = 0
  /// Everything in the scope, kept alive by it.
  @safe @exclusivity(unchecked) private var members: MemberList
  /// How many of the members keep a run going by themselves.
  @safe @exclusivity(unchecked) private var keepingCount = 0
  /// How many of the observers have something to do before the loop sleeps.
  @safe @exclusivity(unchecked) private var workingCount = 0

  var blocks: BlockQueue {
    @inline(__always) _read { yield blockLine.queue }
    @inline(__always) _modify { yield &blockLine.queue }
  }

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
    members = MemberList(keepsSequences: mode == .common)
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

  /// Takes an item in that is not in the scope.
  func insert(_ item: RunLoop.Item) {
    item.insertMembership(mode, index: members.endIndex)
    members.append(item, sequence: takeSequence())
    hasHeldItems = true
    if item.keepsModeAlive { keepingCount += 1 }
  }

  /// Everything in the scope, in the order of adding.
  ///
  /// - Complexity: O(n).
  var membersInOrder: [RunLoop.Item] { members.inOrder }

  /// When a member of the common scope was added.
  func sequence(of item: RunLoop.Item) -> UInt64 { members.sequence(at: item.index(in: mode)) }

  /// Lets an item go that is in the scope.
  func remove(_ item: RunLoop.Item) {
    members.remove(at: item.index(in: mode), of: mode)
    item.removeMembership(mode)
    if item.keepsModeAlive { keepingCount -= 1 }
  }

  /// Takes an item off the lists of what is to be served.
  func strike(_ item: RunLoop.Item) {
    signalled.removeAll { $0 === item }
    readyPorts.removeAll { $0 === item }
  }

  /// By order number, then in the order of adding.
  func insert(_ observer: RunLoop.Observer, keeping sequence: UInt64?) {
    if observer.work == .waiting { workingCount += 1 }
    let added = Listener(observer: observer, sequence: sequence ?? takeSequence())
    observers.insert(added, at: firstIndex { added.isBefore($0) })
    observer.setSequence(added.sequence, in: mode)
  }

  /// When it was added, for who moves it.
  func place(of observer: RunLoop.Observer) -> UInt64 { observer.sequence(in: mode) }

  func remove(_ observer: RunLoop.Observer) {
    if observer.work == .waiting { workingCount -= 1 }
    let held = Listener(observer: observer, sequence: observer.sequence(in: mode))
    let index = firstIndex { !$0.isBefore(held) }
    precondition(observers[index].observer === observer, "an observer is not where its order says")
    observers.remove(at: index)
    observer.forgetSequence(in: mode)
  }

  /// The first index from which on `isBehind` holds.
  ///
  /// - Complexity: O(log n): a program may have very many observers.
  private func firstIndex(where isBehind: (Listener) -> Bool) -> Int {
    var (low, high) = (0, observers.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(observers[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// An item that is in the scope began, or ceased, to keep a run going.
  func countKeeping(_ change: Int) { keepingCount += change }

  /// The work of one of the observers changed.
  func countWork(from old: RunLoop.Observer.Work, to new: RunLoop.Observer.Work) {
    if old.keepsModeAlive != new.keepsModeAlive { keepingCount += new.keepsModeAlive ? 1 : -1 }
    if old == .waiting { workingCount -= 1 }
    if new == .waiting { workingCount += 1 }
  }

  /// Whether an observer has something to do before the loop sleeps.
  @inline(__always)
  var hasWorkingObserver: Bool { workingCount > 0 }

  func countDescriptor(_ change: Int) { descriptorCount += change }

  @inline(__always)
  var hasDescriptors: Bool { descriptorCount > 0 }

  /// In the order of adding.
  ///
  /// - Complexity: O(n) in the number of members.
  var descriptors: [RunLoop.DescriptorSource] {
    hasDescriptors ? members.inOrder.compactMap { $0 as? RunLoop.DescriptorSource } : []
  }
}
