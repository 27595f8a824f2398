package import LinuxKernel
package import Mainspring
import Synchronization

/// The kernel's waits, on a clock that can be frozen: then it stands still while code runs, and where the loop would sleep
/// until a date, it jumps there.
package final class JumpingPoller: Poller, @unchecked Sendable {
  // Sendable: the clocks and the count are atomic; the rest is touched on the loop's thread alone.
  package weak var loop: RunLoop?
  private let kernel = KernelPoller()
  /// The monotonic time while it is frozen; 0 while it goes on.
  private let frozen = Atomic<UInt64>(0)
  /// How far the clocks are ahead of the kernel's while they go on: a loop's time is never set back.
  private let ahead = Atomic<UInt64>(0)
  /// How far the other clocks were ahead of the monotonic when it was frozen.
  private let bootOffset = Atomic<UInt64>(0)
  private let wallOffset = Atomic<UInt64>(0)
  private let jumps = Atomic<Int>(0)
  private var patience: UInt64 = 0
  /// What is to be told once if nothing can happen any more.
  private var onStuck: ((_ waiting: String) -> Void)?

  package init() {}

  /// How often the clock has jumped.
  package var jumpCount: Int { jumps.load(ordering: .relaxed) }

  package var isFrozen: Bool { frozen.load(ordering: .relaxed) != 0 }

  /// Stops the clock. On the loop's thread.
  ///
  /// - Parameters:
  ///   - patience: how long, really, to wait for what only others can bring.
  ///   - onStuck: called in the loop's wait, as if elsewhere, when that has passed.
  package func freeze(patience: Duration, onStuck: @escaping (_ waiting: String) -> Void) {
    let monotonic = now()
    bootOffset.store(now(on: .boot) &- monotonic, ordering: .relaxed)
    wallOffset.store(now(on: .wall) &- monotonic, ordering: .relaxed)
    self.patience = UInt64(max(0, patience.saturatingNanoseconds))
    self.onStuck = onStuck
    frozen.store(monotonic, ordering: .relaxed)
    tellThread()
  }

  /// Lets the clock go on from where it is. On the loop's thread.
  package func thaw() {
    ThreadClocks.tell(nil)
    let (time, real) = (frozen.load(ordering: .relaxed), kernel.now())
    ahead.store(time > real ? time - real : 0, ordering: .relaxed)
    frozen.store(0, ordering: .relaxed)
    onStuck = nil
  }

  package func now() -> UInt64 {
    let time = frozen.load(ordering: .relaxed)
    return time != 0 ? time : kernel.now() &+ ahead.load(ordering: .relaxed)
  }

  package func now(on clock: RunLoop.TimerClock) -> UInt64 {
    let time = frozen.load(ordering: .relaxed)
    if time == 0 { return kernel.now(on: clock) &+ ahead.load(ordering: .relaxed) }
    switch clock {
    case .monotonic: return time
    case .boot: return time &+ bootOffset.load(ordering: .relaxed)
    case .wall: return time &+ wallOffset.load(ordering: .relaxed)
    }
  }

  package func coarseNow() -> UInt64 { now() }

  package func kind(of descriptor: CInt) throws(KernelError) -> DescriptorKind { try .of(descriptor) }

  package func makeWaitSet(for bell: borrowing KernelBell) throws(KernelError) -> any WaitSet {
    JumpingWaitSet(try kernel.makeWaitSet(for: bell), poller: self)
  }

  /// Time that stands still is not waited for by looking.
  package func spin(until date: UInt64, while isIdle: () -> Bool) {
    if !isFrozen { kernel.spin(until: kernelDate(date), while: isIdle) }
  }

  package func sleep(as code: SleepCode, on bell: borrowing KernelBell, limit: WaitLimit) {
    guard isFrozen else { return kernel.sleep(as: code, on: bell, limit: kernelLimit(limit)) }
    wait(limit, alarms: [:]) { limit in
      if limit != .zero { loop?.bell.waitOnWord(code, until: limit.date) }
      return false
    }
  }

  // MARK: frozen

  /// Looks for what the kernel has; jumps if it has nothing; sleeps where there is no date to jump to.
  ///
  /// - Parameter look: waits for the kernel really, and says whether it had something.
  func wait(_ limit: WaitLimit, alarms: [RunLoop.TimerClock: UInt64], look: (WaitLimit) -> Bool) {
    let rings = alarms.map { monotonicDate(of: $0.value, on: $0.key) }
    let end = (rings + [limit.date].compactMap { $0 }).min()
    if look(.zero) || isRung { return }
    guard let end else { return sleepForOthers(look) }
    guard end > now() else { return }
    frozen.store(end, ordering: .relaxed)
    jumps.add(1, ordering: .relaxed)
    tellThread()
  }

  /// Nothing here will come by itself. What runs elsewhere, or a descriptor, may bring it.
  private func sleepForOthers(_ look: (WaitLimit) -> Bool) {
    // The kernel waits by its own clock.
    ThreadClocks.tell(nil)
    defer { tellThread() }
    guard onStuck != nil else {
      _ = look(.none)
      return
    }
    let end = kernel.now() &+ patience
    while kernel.now() < end {
      if look(.until(end)) || isRung { return }
    }
    guard let loop, let tell = onStuck else { return }
    onStuck = nil
    let waiting = loop.debugDescription
    loop.actingFromElsewhere { tell(waiting) }
  }

  /// Whether a poster that found the loop asleep took the word.
  private var isRung: Bool { loop?.bell.load(.sleep, .noticeRing) == SleepCode.awake.rawValue }

  /// What code on this thread reads from the clocks is to be this loop's time, where that can be had.
  private func tellThread() {
    guard isFrozen else { return }
    ThreadClocks.tell(
      ThreadClocks.Readings(monotonic: now(), boot: now(on: .boot), wall: now(on: .wall)))
  }

  // MARK: going on

  /// A date of this clock on the kernel's.
  func kernelDate(_ date: UInt64) -> UInt64 {
    let ahead = ahead.load(ordering: .relaxed)
    return date == .max ? date : date > ahead ? date - ahead : 0
  }

  func kernelLimit(_ limit: WaitLimit) -> WaitLimit {
    if case .until(let date) = limit { .until(kernelDate(date)) } else { limit }
  }
}
