import CMainspring
import CTestCalls
import Glibc
import LinuxKernel
import Mainspring
import Synchronization

/// Signal handlers that stop and wake the main loop, at whatever moment.
enum HandlerScenario {
  static func run() throws {
    let loop = RunLoop.current
    let handle = loop.signalHandle
    unsafe test_signals_use(handle.pointer)
    try stopsSleepers(loop)

    raise(SIGUSR1)
    tell("kept: \(loop.run(in: .default, whenEmpty: .wait).reason)")
    tell(
      "errno: \(test_errno_after(SIGUSR1, 77)) \(test_errno_after(SIGUSR2, 78)) \(loop.cancelPendingStop())")
    try storm(loop)
    try outlivesItsLoop()
  }

  /// Sends a signal once the loop sleeps.
  private static func signalSleeper(_ loop: RunLoop, _ signal: CInt) throws {
    try NativeThread.start(named: "signaller") {
      while !loop.isWaiting { sched_yield() }
      kill(getpid(), signal)
    }
  }

  private static func stopsSleepers(_ loop: RunLoop) throws {
    var ends: [CInt] = [0, 0]
    _ = unsafe pipe(&ends)
    let source = RunLoop.DescriptorSource(ends[0]) { _, _ in }
    for hasDescriptor in [false, true] {
      if hasDescriptor { try loop.add(source, to: .default) }
      try signalSleeper(loop, SIGUSR1)
      tell("stopped: \(loop.run(in: .default, for: .seconds(20), whenEmpty: .wait).reason)")

      let passes = Atomic(0)
      let observer = RunLoop.Observer(.beforeWaiting) { _, _ in
        if passes.add(1, ordering: .relaxed).newValue == 2 { loop.stop() }
      }
      loop.add(observer, to: .default)
      try signalSleeper(loop, SIGUSR2)
      tell("woken: \(loop.run(in: .default, for: .seconds(20), whenEmpty: .wait).reason)")
      observer.invalidate()
    }
    source.invalidate()
  }

  /// Signals come as fast as they can while another thread posts: nothing is lost and nobody hangs.
  private static func storm(_ loop: RunLoop) throws {
    let isOver = Flag()
    let count = 100_000
    let done = Atomic(0)
    try NativeThread.start(named: "signaller") {
      while !isOver.isSet { kill(getpid(), SIGUSR2) }
    }
    try NativeThread.start(named: "poster") {
      for _ in 0..<count {
        loop.perform(in: .default) {
          if done.add(1, ordering: .relaxed).newValue == count { loop.stop() }
        }
      }
    }
    let reason = loop.run(in: .default, for: .seconds(50), whenEmpty: .wait).reason
    isOver.set()
    tell("storm: \(reason), \(done.load(ordering: .relaxed)) done")
  }

  private static func outlivesItsLoop() throws {
    let token = RunLoop.Token()
    let main = RunLoop.current
    let kept = Kept()
    try NativeThread.start(named: "short-lived") {
      let own = RunLoop.current
      kept.handle.withLock { $0 = own.signalHandle }
      own.run(in: .default, for: .zero)
      main.perform(in: .default) { token.signal() }
    }
    main.run(until: token)
    let handle = kept.handle.withLock { $0! }
    unsafe mainspring_wake_up(handle.pointer)
    tell("after its end: \(unsafe mainspring_stop(handle.pointer, mainspring_stop_all))")
  }

  private final class Kept: Sendable {
    let handle = Locked<RunLoop.SignalHandle?>(nil)
  }
}
