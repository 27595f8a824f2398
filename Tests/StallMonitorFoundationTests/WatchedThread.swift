import CoreFoundation
import Foundation
import LinuxKernel
import StallReport
import Synchronization
import Testing

import StallMonitor
import StallMonitorFoundation

/// A thread with a CFRunLoop that is watched, and the reports that come of it. A stall lasts until the monitor has said
/// that it goes on: no test waits for a clock.
final class WatchedThread: Sendable {
  let reports = Locked<[Report]>([])
  private let confirmed = FutexWord(0)
  private let ended = FutexWord(0)

  /// What `body` comes to when it is run on a thread of its own, whose loop is watched once by each name.
  static func reports(
    names: [String] = ["tested"], modes: [CFString] = [],
    _ body: @escaping @Sendable (StallMonitor, WatchedThread) -> Void
  ) throws -> [Report] {
    let thread = WatchedThread()
    let monitor = try StallMonitor(thread.configuration)
    thread.run {
      for name in names { monitor.watch(CFRunLoopGetCurrent(), as: name) }
      body(monitor, thread)
    }
    #expect(monitor.stop(waitingFor: .seconds(30)))
    return thread.reports.withLock { $0 }
  }

  /// Runs `body` on a thread of its own, to its end.
  func run(_ body: @escaping @Sendable () -> Void) {
    ended.store(0)
    // Not a thread of the kernel layer's: those take no signals.
    let thread = Thread { [self] in
      body()
      ended.store(1)
      ended.wake(all: true)
    }
    thread.start()
    while ended.load() == 0 { _ = ended.wait(while: 0, until: nil) }
  }

  var configuration: StallMonitor.Configuration {
    var configuration = StallMonitor.Configuration()
    configuration.threshold = .milliseconds(40)
    configuration.launchThreshold = .milliseconds(40)
    configuration.onReport = { [self] report in
      reports.withLock { $0.append(report) }
      if report.state == .ongoing { _ = confirmed.exchange(1) }
    }
    return configuration
  }

  /// Burns processor time until the stall that this is has been confirmed.
  @inline(never)
  func spinUntilConfirmed() -> UInt64 {
    var sum: UInt64 = 0
    while confirmed.load() == 0 { sum = sum &* 31 &+ 7 }
    return sum
  }
}

/// A source that performs `body`.
func source(order: CFIndex = 0, _ body: @escaping () -> Void) -> CFRunLoopSource? {
  final class Body {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
  // SAFETY: the source retains its info for as long as it is there.
  let info = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
  var context = unsafe CFRunLoopSourceContext()
  unsafe context.info = info
  unsafe context.release = { info in unsafe Unmanaged<Body>.fromOpaque(info!).release() }
  unsafe context.perform = { info in unsafe Unmanaged<Body>.fromOpaque(info!).takeUnretainedValue().body() }
  return unsafe CFRunLoopSourceCreate(nil, order, &context)
}

/// A timer that fires at once.
func timer(every interval: Double = 0, _ body: @escaping (CFRunLoopTimer?) -> Void) -> CFRunLoopTimer? {
  CFRunLoopTimerCreateWithHandler(nil, CFAbsoluteTimeGetCurrent() - 1, interval, 0, 0, body)
}

/// A timer that keeps a mode from being empty, and is not due in a test's time.
func farTimer() -> CFRunLoopTimer? {
  CFRunLoopTimerCreateWithHandler(nil, CFAbsoluteTimeGetCurrent() + 3600, 0, 0, 0) { _ in }
}
