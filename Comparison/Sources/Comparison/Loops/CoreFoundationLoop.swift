import CoreFoundation
import Foundation

/// CFRunLoop, as Foundation on Linux has it.
struct CoreFoundationLoop: ComparedLoop, @unchecked Sendable {
  // Sendable: CFRunLoop's functions may be called from any thread.
  let loop: CFRunLoop

  static var current: CoreFoundationLoop { CoreFoundationLoop(loop: CFRunLoopGetCurrent()) }
  static var main: CoreFoundationLoop { CoreFoundationLoop(loop: CFRunLoopGetMain()) }
  static let defaultMode = Mode(name: kCFRunLoopDefaultMode)
  static let commonModes = Mode(name: kCFRunLoopCommonModes)
  static let nameOfCommonModes = "kCFRunLoopCommonModes"
  static func mode(_ name: String) -> Mode {
    // SAFETY: the text ends in zero and is copied.
    unsafe Mode(name: CFStringCreateWithCString(nil, name, CFStringEncoding(0x0800_0100)))
  }

  struct Mode: @unchecked Sendable {
    // Sendable: a string that nobody changes.
    let name: CFString
  }

  func run(in mode: Mode, for limit: Duration?, returnAfterSourceHandled: Bool) -> Ending {
    // What CFRunLoopRun itself takes for no limit.
    let seconds = limit.map { $0 / .seconds(1) } ?? 1e10
    return Ending(CFRunLoopRunInMode(mode.name, seconds, returnAfterSourceHandled))
  }

  func stop() { CFRunLoopStop(loop) }
  func wakeUp() { CFRunLoopWakeUp(loop) }
  func perform(in mode: Mode, _ block: @escaping @Sendable () -> Void) {
    CFRunLoopPerformBlock(loop, mode.name, block)
  }

  func addTimer(
    after delay: Duration, every interval: Duration?, to mode: Mode,
    handler: @escaping @Sendable (Timer) -> Void
  ) -> Timer {
    let made = CFRunLoopTimerCreateWithHandler(
      nil, CFAbsoluteTimeGetCurrent() + delay / .seconds(1), interval.map { $0 / .seconds(1) } ?? 0, 0, 0
    ) { timer in handler(Timer(timer: timer!)) }
    CFRunLoopAddTimer(loop, made, mode.name)
    return Timer(timer: made!)
  }

  func addTimer(
    after delay: Duration, tolerance: Duration, to mode: Mode, handler: @escaping @Sendable () -> Void
  ) {
    let timer = addTimer(after: delay, every: nil, to: mode) { _ in handler() }
    CFRunLoopTimerSetTolerance(timer.timer, tolerance / .seconds(1))
  }

  func addObserver(of activity: Activity, to mode: Mode, handler: @escaping @Sendable () -> Void) {
    let observer = CFRunLoopObserverCreateWithHandler(nil, activity.coreFoundationBits, true, 0) { _, _ in
      handler()
    }
    CFRunLoopAddObserver(loop, observer, mode.name)
  }

  struct Timer: ComparedTimer, @unchecked Sendable {
    // Sendable: CFRunLoopTimer's functions may be called from any thread.
    let timer: CFRunLoopTimer
    func setFireDate(after delay: Duration) {
      CFRunLoopTimerSetNextFireDate(timer, CFAbsoluteTimeGetCurrent() + delay / .seconds(1))
    }
    func invalidate() { CFRunLoopTimerInvalidate(timer) }
  }

  struct Source: ComparedSource, @unchecked Sendable {
    // Sendable: CFRunLoopSource's functions may be called from any thread.
    let loop: CFRunLoop
    let source: CFRunLoopSource
    func signal() { CFRunLoopSourceSignal(source) }
    func invalidate() { CFRunLoopSourceInvalidate(source) }
    func remove(from mode: Mode) { CFRunLoopRemoveSource(loop, source, mode.name) }
  }
}

extension Ending {
  init(_ result: CFRunLoopRunResult) {
    self =
      switch result.rawValue {
      case 1: .finished
      case 2: .stopped
      case 3: .timedOut
      case 4: .handledSource
      default: preconditionFailure("CFRunLoopRunInMode answered \(result.rawValue)")
      }
  }
}

extension Activity {
  /// The bit of CFRunLoopActivity.
  var coreFoundationBits: CFOptionFlags {
    switch self {
    case .entry: 1
    case .beforeTimers: 2
    case .beforeSources: 4
    case .beforeWaiting: 32
    case .afterWaiting: 64
    case .exit: 128
    }
  }
}
