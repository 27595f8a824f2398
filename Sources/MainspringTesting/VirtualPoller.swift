package import LinuxKernel
package import Mainspring

/// The clock and the waits of a loop on virtual time, and what is scripted to happen.
package final class VirtualPoller: Poller {
  weak var loop: RunLoop?
  /// Not zero, so that dates before the start can be written down.
  private var time: UInt64 = 1_000_000_000_000
  private var events: [Event] = []
  private var readiness: [CInt: (ready: RunLoop.Readiness, change: Int)] = [:]
  private(set) var sleepCount = 0

  private struct Event {
    let time: UInt64
    let body: () -> Void
  }

  package func now() -> UInt64 { time }

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

  package func sleep(as code: SleepCode, on bell: borrowing KernelBell, limit: WaitLimit) {
    wait(limit) { false }
  }

  /// Moves the clock from event to event until one wakes the loop, something is ready, or the limit has come.
  func wait(_ limit: WaitLimit, isReady: () -> Bool) {
    // A date that has passed is a look, as the zero limit is.
    if let date = limit.date, date <= time { return }
    guard let loop else { preconditionFailure("the loop of this poller has gone") }
    // Whoever finds something ready does not sleep either.
    if isReady() { return }
    sleepCount += 1
    while !isReady() {
      guard let event = events.first, event.time <= limit.date ?? .max else { break }
      events.removeFirst()
      time = max(time, event.time)
      loop.actingFromElsewhere(event.body)
      // A poster that found the loop asleep took the word.
      if loop.bell.load(.sleep, .noticeRing) == SleepCode.awake.rawValue { return }
    }
    if isReady() { return }
    guard let date = limit.date else {
      preconditionFailure("the loop would sleep for ever: it has no timer, no limit, and nothing is scripted")
    }
    time = max(time, date)
  }

  /// What a descriptor is ready for, and how often that was set.
  func readiness(of descriptor: CInt) -> (ready: RunLoop.Readiness, change: Int) {
    readiness[descriptor] ?? ([], 0)
  }
}
