import LinuxKernel

/// An epoll set with the bell's descriptor in it, and alarms where they are wanted.
///
/// The bell is edge-triggered and never read: a ring costs the loop no system call. A ring leaves an edge in
/// each other set of the loop, which costs the next wait there one early return.
final class KernelWaitSet: WaitSet {
  private let epoll: EpollSet
  @safe @exclusivity(unchecked) private var exactWait = ExactWait()
  /// For dates on the monotonic clock that are too far away for the wait's own precision.
  private let farAlarm = Alarm(on: .monotonic, token: WaitToken.farAlarm)
  private let bootAlarm = Alarm(on: .boot, token: WaitToken.bootAlarm)
  private let wallAlarm = Alarm(on: .wall, token: WaitToken.wallAlarm)

  init(bell: borrowing KernelBell) throws(KernelError) {
    epoll = try EpollSet()
    try epoll.add(
      bell.makeDescriptor(), bits: EpollBits.read | EpollBits.edgeTriggered, token: WaitToken.bell)
  }

  var number: CInt? { epoll.number }

  func add(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try epoll.add(descriptor, bits: bits, token: token)
  }

  func modify(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try epoll.modify(descriptor, bits: bits, token: token)
  }

  func remove(_ descriptor: CInt) throws(KernelError) { try epoll.remove(descriptor) }

  func setAlarm(on clock: RunLoop.TimerClock, at date: UInt64?) throws(KernelError) {
    switch clock {
    case .monotonic: try farAlarm.set(date, in: epoll)
    case .boot: try bootAlarm.set(date, in: epoll)
    case .wall: try wallAlarm.set(date, in: epoll)
    }
  }

  @inline(__always)
  func wait(_ limit: WaitLimit, into events: inout ReadyEvents) {
    switch limit {
    case .zero: epoll.look(into: &events)
    case .none:
      farAlarm.clear(before: .max)
      epoll.wait(nanoseconds: nil, into: &events)
    case .until(let date): wait(until: date, into: &events)
    }
  }

  @inline(never)
  private func wait(until date: UInt64, into events: inout ReadyEvents) {
    let now = MonotonicClock.now()
    let distance = date > now ? date - now : 0
    if distance >= Limit.distanceOfFarDates, (try? farAlarm.set(date, in: epoll)) != nil {
      return epoll.wait(nanoseconds: nil, into: &events)
    }
    // One that rings later than this wait ends may be needed again, and disturbs nobody.
    farAlarm.clear(before: date)
    exactWait.until(date, now: now) {
      epoll.wait(nanoseconds: $0 > now ? $0 - now : 0, into: &events)
    }
  }

  func noteRing(of token: UInt64) {
    switch token {
    case WaitToken.farAlarm: farAlarm.noteRing()
    case WaitToken.bootAlarm: bootAlarm.noteRing()
    case WaitToken.wallAlarm: wallAlarm.noteRing()
    default: break
    }
  }
}

/// A timer descriptor that is made when it is first set, and what it is set to.
private final class Alarm {
  private let clock: AlarmDescriptor.Clock
  private let token: UInt64
  private var descriptor: AlarmDescriptor?
  private var date: UInt64?

  init(on clock: AlarmDescriptor.Clock, token: UInt64) {
    self.clock = clock
    self.token = token
  }

  /// No system call if it is set so already.
  func set(_ newDate: UInt64?, in epoll: EpollSet) throws(KernelError) {
    guard newDate != date else { return }
    if descriptor == nil {
      let made = try AlarmDescriptor(on: clock)
      try epoll.add(made.number, bits: EpollBits.read | EpollBits.edgeTriggered, token: token)
      descriptor = consume made
    }
    descriptor?.set(newDate)
    date = newDate
  }

  /// Takes a date back that would end a wait which lasts longer.
  func clear(before end: UInt64) {
    guard let date, date < end else { return }
    descriptor?.set(nil)
    self.date = nil
  }

  /// It is to be set anew, whatever it was set to.
  func noteRing() { date = nil }
}
