package import LinuxKernel
package import Mainspring

/// The clock and the waits of a loop on virtual time, and what is scripted to happen.
package final class VirtualPoller: Poller {
  weak var loop: RunLoop?
  /// Not zero, so that dates before the start can be written down.
  private var time: UInt64 = 1_000_000_000_000
  /// How far the other clocks are ahead of the monotonic: by what the machine was suspended, and by what was set.
  private var suspended: UInt64 = 0
  private var wallOffset: UInt64 = 1_700_000_000_000_000_000
  private var events: [Event] = []
  private var readiness: [CInt: (ready: RunLoop.Readiness, change: Int)] = [:]
  private(set) var sleepCount = 0
  /// How often the loop looked for work before it slept.
  package private(set) var spinCount = 0
  /// Whether its thread may run on several processors.
  package var hasSeveralProcessors = true
  /// How often that was asked.
  package private(set) var processorQuestions = 0
  /// Called where the loop would sleep for ever, which traps otherwise.
  var onStuck: (() -> Void)?
  /// Whether what is scripted happens on the loop's processor.
  package var isRungFromHere = false

  private struct Event {
    let time: UInt64
    let body: () -> Void
  }

  package func now() -> UInt64 { time }

  package func now(on clock: RunLoop.TimerClock) -> UInt64 {
    switch clock {
    case .monotonic: time
    case .boot: time &+ suspended
    case .wall: time &+ wallOffset
    }
  }

  /// The machine sleeps: the monotonic clock stands still.
  func suspend(for duration: Duration) {
    let nanoseconds = UInt64(max(0, duration.saturatingNanoseconds))
    suspended &+= nanoseconds
    wallOffset &+= nanoseconds
  }

  /// Somebody sets the wall clock forward, or back.
  func setWallClock(by duration: Duration) {
    wallOffset = wallOffset &+ UInt64(bitPattern: duration.saturatingNanoseconds)
  }

  package func coarseNow() -> UInt64 { time }

  func spend(_ duration: Duration) {
    time = RunLoop.Instant(nanoseconds: time).advanced(by: duration).nanoseconds
  }

  /// Events of one date happen in the order in which they were scripted.
  func script(at date: UInt64, _ body: @escaping () -> Void) {
    let place = events.firstIndex { $0.time > date } ?? events.endIndex
    events.insert(Event(time: date, body: body), at: place)
  }

  /// Drops what has not happened: it may hold the loop.
  func forgetEvents() {
    let dropped = events
    events = []
    _ = consume dropped
  }

  func setReadiness(_ ready: RunLoop.Readiness, of descriptor: CInt) {
    readiness[descriptor] = (ready, (readiness[descriptor]?.change ?? 0) + 1)
  }

  package func kind(of descriptor: CInt) throws(KernelError) -> DescriptorKind {
    guard descriptor >= 0 else { throw .badDescriptor }
    return .pollable
  }

  package func makeWaitSet(for bell: borrowing KernelBell) throws(KernelError) -> any WaitSet {
    VirtualWaitSet(poller: self)
  }

  package func isHere(_ processor: UInt32) -> Bool { isRungFromHere }

  package var runsBesideOthers: Bool {
    processorQuestions += 1
    return hasSeveralProcessors
  }

  /// What is scripted until then happens, and the clock goes on to the first that the loop is interested in, or to the end.
  package func spin(until date: UInt64, while isIdle: () -> Bool) {
    guard let loop else { trap("the loop of this poller has gone") }
    spinCount += 1
    while isIdle() {
      guard let event = events.first, event.time <= date else {
        time = max(time, date)
        return
      }
      events.removeFirst()
      time = max(time, event.time)
      loop.actingFromElsewhere(event.body)
    }
  }

  package func sleep(as code: SleepCode, on bell: borrowing KernelBell, limit: WaitLimit) {
    wait(limit, alarms: [:]) { false }
  }

  /// Moves the clock from event to event until one wakes the loop, something is ready, an alarm rings, or the limit has
  /// come.
  func wait(_ limit: WaitLimit, alarms: [RunLoop.TimerClock: UInt64], isReady: () -> Bool) {
    // When the next alarm rings changes whenever a clock is set.
    var end: UInt64? {
      let rings = alarms.map { monotonicDate(of: $0.value, on: $0.key) }
      return (rings + [limit.date].compactMap { $0 }).min()
    }
    // A date that has passed is a look, as the zero limit is.
    if let date = end, date <= time { return }
    guard let loop else { trap("the loop of this poller has gone") }
    // Whoever finds something ready does not sleep either.
    if isReady() { return }
    sleepCount += 1
    while !isReady() {
      guard let event = events.first, event.time <= end ?? .max else { break }
      events.removeFirst()
      time = max(time, event.time)
      loop.actingFromElsewhere(event.body)
      // A poster that found the loop asleep took the word.
      if loop.bell.load(.sleep, .noticeRing) == SleepCode.awake.rawValue { return }
    }
    if isReady() { return }
    guard let date = end else {
      if let onStuck { return onStuck() }
      trap("the loop would sleep for ever: it has no timer, no limit, and nothing is scripted")
    }
    time = max(time, date)
  }

  /// What a descriptor is ready for, and how often that was set.
  func readiness(of descriptor: CInt) -> (ready: RunLoop.Readiness, change: Int) {
    readiness[descriptor] ?? ([], 0)
  }
}
