public import Mainspring

/// A run loop on virtual time: a wait moves the clock and returns, so that an hour passes in microseconds, exactly.
///
/// While it lives it is `RunLoop.current` of the thread that made it, so that code under test finds it. What is
/// scripted with `at` happens while the loop sleeps, as if on another thread.
///
/// ```swift
/// import MainspringTesting
///
/// let virtual = VirtualRunLoop()
/// let timer = RunLoop.Timer(every: .seconds(1)) { _ in print("a second") }
/// virtual.loop.add(timer, to: .default)
/// virtual.loop.run(in: .default, for: .seconds(3600))  // 3600 lines, at once
/// ```
///
/// Use it on the thread that made it.
public final class VirtualRunLoop: @unchecked Sendable {
  // Sendable, so that handlers can let time pass: everything in it is used on the thread that made it, which is
  // where the loop calls handlers.
  /// The loop itself.
  public let loop: RunLoop
  /// What the passes did, in order.
  public let trace: PassTrace
  package let poller: VirtualPoller

  /// A loop that has nothing in it, current on this thread from now on.
  public init() {
    poller = VirtualPoller()
    trace = PassTrace(clock: poller)
    loop = RunLoop(poller: poller, isMain: false, onThread: 0)
    loop.bindToThisThread()
    loop.tracer = trace
    loop.isOnVirtualTime = true
    poller.loop = loop
    ThreadLoops.ofThisThread.push(loop)
  }

  deinit { end() }

  /// Ends the loop as the end of its thread would, and drops what was scripted and has not happened.
  ///
  /// Called by itself when the object goes; call it where a handler that stays in the loop, or an event, refers to
  /// the object, which would otherwise keep itself alive and stay the thread's current loop.
  public func end() {
    loop.end()
    poller.forgetEvents()
    ThreadLoops.ofThisThread.remove(loop)
  }

  /// The virtual time.
  public var now: RunLoop.Instant { RunLoop.Instant(nanoseconds: poller.now()) }

  /// Lets time pass while the loop is not waiting: in a handler, as if it took so long.
  public func spend(_ duration: Duration) { poller.spend(duration) }

  /// Suspends the machine for a while: the monotonic clock stands still, the others go on. Called in an event, as if while
  /// the loop slept.
  public func suspend(for duration: Duration) { poller.suspend(for: duration) }

  /// Sets the wall clock forward, or back.
  public func setWallClock(by duration: Duration) { poller.setWallClock(by: duration) }

  /// The virtual time of day.
  public var wallNow: RunLoop.WallTime { RunLoop.WallTime(nanoseconds: poller.now(on: .wall)) }

  /// Scripts something to happen on another thread, that long from now, while the loop sleeps; if it does not
  /// sleep then, at its next sleep.
  public func at(_ delay: Duration, _ event: @escaping () -> Void) {
    poller.script(at: now.advanced(by: delay).nanoseconds, event)
  }

  /// Makes a descriptor ready, now; with nothing, takes all readiness away.
  public func setReadiness(_ readiness: RunLoop.Readiness, of descriptor: Int32) {
    poller.setReadiness(readiness, of: descriptor)
  }

  /// How often the loop has slept.
  public var sleepCount: Int { poller.sleepCount }
}
