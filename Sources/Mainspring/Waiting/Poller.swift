package import LinuxKernel

/// How long a wait may last.
package enum WaitLimit: Equatable, Sendable {
  /// A look, without sleeping.
  case zero
  /// Until a date, ns, monotonic.
  case until(UInt64)
  /// Until something ends it.
  case none
}

/// The one seam for time and waiting: what says how late it is is what sleeps.
///
/// Two seams, a clock here and a selector there, can disagree. The real one is `KernelPoller`; the virtual one
/// of `MainspringTesting` moves its clock to the limit and returns. Only on the loop's thread.
package protocol Poller: AnyObject {
  /// Nanoseconds, monotonic.
  func now() -> UInt64

  /// Nanoseconds on whatever clock; on the monotonic the same as `now()`.
  func now(on clock: RunLoop.TimerClock) -> UInt64

  /// The same as of a tick ago at most: cheaper to ask.
  func coarseNow() -> UInt64

  /// What a descriptor number stands for. Any thread.
  func kind(of descriptor: CInt) throws(KernelError) -> DescriptorKind

  /// Something that the descriptors of one mode can be registered with, and whose wait `bell` ends.
  func makeWaitSet(for bell: borrowing KernelBell) throws(KernelError) -> any WaitSet

  /// Looks again and again, without sleeping, while `isIdle` says so and the date has not come.
  func spin(until date: UInt64, while isIdle: () -> Bool)

  /// Whether others can run while this thread does.
  var runsBesideOthers: Bool { get }

  /// Whether this thread runs on that processor.
  func isHere(_ processor: UInt32) -> Bool

  /// Sleeps where there are no descriptors: on the sleep word of the bell, while it holds `code`.
  func sleep(as code: SleepCode, on bell: borrowing KernelBell, limit: WaitLimit)
}

/// The descriptors of one mode and how to wait for them.
package protocol WaitSet: AnyObject {
  /// A descriptor that is readable while one of the set's is ready, if there is one.
  var number: CInt? { get }

  func add(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError)
  func modify(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError)
  func remove(_ descriptor: CInt) throws(KernelError)

  /// Lets waits end at a date of another clock than the monotonic, and when the wall clock is set; nil never. Holds until
  /// it is said anew.
  func setAlarm(on clock: RunLoop.TimerClock, at date: UInt64?) throws(KernelError)

  /// Waits for descriptors to be ready, and tells them with the kernel's event bits, in the kernel's order. The end of
  /// the wait may have no reason that is told: the bell, a signal, nothing at all.
  ///
  /// Tokens of the set's own descriptors may be among them, which are for `noteRing(of:)`.
  func wait(_ limit: WaitLimit, into events: inout ReadyEvents)

  /// One of the set's own descriptors was found ready: its token is not below `WaitToken.firstOwn`.
  func noteRing(of token: UInt64)
}

extension WaitSet {
  package var number: CInt? { nil }
}

/// The tokens of a wait set's own descriptors: a source's never has its upper half full.
package enum WaitToken {
  static let bell = UInt64.max
  static let farAlarm = UInt64.max - 1
  static let bootAlarm = UInt64.max - 2
  static let wallAlarm = UInt64.max - 3
  package static let firstOwn = wallAlarm
}

extension WaitLimit {
  /// The date, in the past for a mere look, nil without limit.
  package var date: UInt64? {
    switch self {
    case .zero: 0
    case .until(let date): date
    case .none: nil
    }
  }
}

extension Poller {
  package func spin(until date: UInt64, while isIdle: () -> Bool) {
    while true {
      for _ in 0..<Limit.looksPerClockReading {
        if !isIdle() { return }
        Processor.pause()
      }
      if now() >= date { return }
    }
  }

  package var runsBesideOthers: Bool { Processor.usableCount > 1 }

  package func isHere(_ processor: UInt32) -> Bool { Processor.current == processor }

  /// When a date of another clock will come, as far as can be told now.
  package func monotonicDate(of date: UInt64, on clock: RunLoop.TimerClock) -> UInt64 {
    guard clock != .monotonic, date != .max else { return date }
    let (now, then) = (RunLoop.Instant(nanoseconds: self.now()), self.now(on: clock))
    return date >= then
      ? now.advanced(by: .nanoseconds(Int64(clamping: date - then))).nanoseconds
      : now.advanced(by: .zero - .nanoseconds(Int64(clamping: then - date))).nanoseconds
  }
}
