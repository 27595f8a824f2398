import LinuxKernel
import Mainspring
import Synchronization

/// The kernel's clock and waits, counted.
final class CountingPoller: Poller, @unchecked Sendable {
  // Sendable: the counts are atomic, and the kernel poller has no state.
  private let kernel = KernelPoller()
  private let reads = Atomic<Int>(0)
  private let sleeps = Atomic<Int>(0)
  private let sets = Atomic<Int>(0)
  private let setsMade = Atomic<Int>(0)

  /// How often the clock was read.
  var clockReads: Int { reads.load(ordering: .sequentiallyConsistent) }
  /// How often the loop went to sleep (a look that does not sleep is none).
  var sleepCount: Int { sleeps.load(ordering: .sequentiallyConsistent) }
  /// How often it may have gone to sleep to wait for one date: a wait that ends a slack early is followed by another.
  static let sleepsOfOneWait = 1...2
  /// How many wait sets there are.
  var waitSetCount: Int { sets.load(ordering: .sequentiallyConsistent) }

  /// How many there ever were.
  var waitSetsMade: Int { setsMade.load(ordering: .sequentiallyConsistent) }

  func now() -> UInt64 {
    reads.wrappingAdd(1, ordering: .sequentiallyConsistent)
    return kernel.now()
  }

  func now(on clock: RunLoop.TimerClock) -> UInt64 {
    clock == .monotonic ? now() : kernel.now(on: clock)
  }

  func coarseNow() -> UInt64 { kernel.coarseNow() }

  func kind(of descriptor: CInt) throws(KernelError) -> DescriptorKind { try kernel.kind(of: descriptor) }

  func makeWaitSet(for bell: borrowing KernelBell) throws(KernelError) -> any WaitSet {
    CountingWaitSet(try kernel.makeWaitSet(for: bell), of: self)
  }

  func sleep(as code: SleepCode, on bell: borrowing KernelBell, limit: WaitLimit) {
    note(limit)
    kernel.sleep(as: code, on: bell, limit: limit)
  }

  fileprivate func note(_ limit: WaitLimit) {
    if limit.date ?? .max > kernel.now() { sleeps.wrappingAdd(1, ordering: .sequentiallyConsistent) }
  }

  fileprivate func noteSets(_ change: Int) {
    sets.wrappingAdd(change, ordering: .sequentiallyConsistent)
    if change > 0 { setsMade.wrappingAdd(change, ordering: .sequentiallyConsistent) }
  }

  /// A loop of this thread on this poller, for the length of a closure.
  static func withLoop<Result>(_ body: (RunLoop, CountingPoller) throws -> Result) rethrows -> Result {
    let poller = CountingPoller()
    let loop = RunLoop(poller: poller, isMain: false, onThread: 0)
    loop.bindToThisThread()
    ThreadLoops.ofThisThread.push(loop)
    defer {
      loop.end()
      ThreadLoops.ofThisThread.remove(loop)
    }
    return try body(loop, poller)
  }
}

private final class CountingWaitSet: WaitSet {
  private let set: any WaitSet
  private let poller: CountingPoller

  init(_ set: any WaitSet, of poller: CountingPoller) {
    self.set = set
    self.poller = poller
    poller.noteSets(1)
  }

  deinit { poller.noteSets(-1) }

  func add(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try set.add(descriptor, bits: bits, token: token)
  }

  func modify(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try set.modify(descriptor, bits: bits, token: token)
  }

  func remove(_ descriptor: CInt) throws(KernelError) { try set.remove(descriptor) }

  func setAlarm(on clock: RunLoop.TimerClock, at date: UInt64?) throws(KernelError) {
    try set.setAlarm(on: clock, at: date)
  }

  func wait(_ limit: WaitLimit, into events: inout ReadyEvents) {
    poller.note(limit)
    set.wait(limit, into: &events)
  }

  func noteRing(of token: UInt64) { set.noteRing(of: token) }
}
