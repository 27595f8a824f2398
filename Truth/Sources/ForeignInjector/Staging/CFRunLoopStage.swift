import CoreFoundation
import Glibc
import Grid
import Injecting
import StallMonitor
import StallMonitorFoundation
import Synchronization

/// A CFRunLoop on a thread of its own, with an item of every kind.
final class CFRunLoopStage: Stage, @unchecked Sendable {
  // Sendable: what is set on the loop's thread is set before `isRunning` is posted; the loop's functions are for any
  // thread; `observers` belongs to the driver.
  let name = LoopName.cfrunloop
  private(set) var thread: pthread_t?
  private var loop: CFRunLoop!
  private var timer: CFRunLoopTimer!
  private var source: CFRunLoopSource!
  private var nested: CFRunLoopSource!
  private var observers: [CFRunLoopObserver] = []
  private let armed = Armed()
  private let isRunning = Semaphore()
  private let isInOtherMode = Mutex(false)

  private static func modeName(_ name: String) -> CFString {
    CFStringCreateWithCString(nil, name, CFStringBuiltInEncodings.UTF8.rawValue)
  }
  private let otherMode = CFRunLoopStage.modeName("truth-other")
  private let nestedMode = CFRunLoopStage.modeName("truth-nested")
  private var mode: CFString { isInOtherMode.withLock { $0 } ? otherMode : kCFRunLoopDefaultMode }

  /// s.
  private static let never = 1e9

  static func started(_ monitor: StallMonitor) -> CFRunLoopStage {
    let stage = CFRunLoopStage()
    startThread(named: "cfrunloop") {
      stage.prepareLoop()
      monitor.watch(
        stage.loop, as: "\(LoopName.cfrunloop)", modes: [stage.otherMode, stage.nestedMode])
      stage.isRunning.post()
      stage.run()
    }
    stage.isRunning.wait()
    return stage
  }

  // MARK: on the loop's thread

  private func prepareLoop() {
    thread = pthread_self()
    loop = CFRunLoopGetCurrent()
    timer = CFRunLoopTimerCreateWithHandler(
      nil, CFAbsoluteTimeGetCurrent() + Self.never, Self.never, 0, 0
    ) { [unowned self] _ in armed.take(.timer)?.perform() }
    source = makeSource { $0.performSource() }
    nested = makeSource { $0.armed.take(.nested)?.perform() }
    for mode in [kCFRunLoopDefaultMode!, otherMode] {
      CFRunLoopAddTimer(loop, timer, mode)
      CFRunLoopAddSource(loop, source, mode)
    }
    CFRunLoopAddSource(loop, nested, nestedMode)
  }

  private func run() {
    while true {
      CFRunLoopRunInMode(mode, Self.never, false)
      armed.take(.outside)?.perform()
    }
  }

  /// The stage lives as long as the process.
  private func makeSource(_ perform: @escaping (CFRunLoopStage) -> Void) -> CFRunLoopSource {
    let info = Unmanaged.passRetained(SourceInfo(self, perform)).toOpaque()
    var context = CFRunLoopSourceContext()
    context.info = info
    context.perform = { info in
      let info = Unmanaged<SourceInfo>.fromOpaque(info!).takeUnretainedValue()
      info.perform(info.stage)
    }
    return CFRunLoopSourceCreate(nil, 0, &context)
  }

  private final class SourceInfo {
    let stage: CFRunLoopStage
    let perform: (CFRunLoopStage) -> Void
    init(_ stage: CFRunLoopStage, _ perform: @escaping (CFRunLoopStage) -> Void) {
      self.stage = stage
      self.perform = perform
    }
  }

  private func performSource() {
    guard let injection = armed.take(.source0) else { return }
    guard injection.cell.work == .saturation else { return injection.perform() }
    if Saturation.continues(injection) {
      armed.set(injection)
      signal(source)
    }
  }

  private func runNested() {
    signal(nested)
    CFRunLoopRunInMode(nestedMode, 10, true)
  }

  // MARK: on the driver's thread

  func prepare(_ cell: Cell) {
    setMode(isOther: cell.isInOtherMode)
    guard case .observer(let moment, let isFirst) = cell.place else { return }
    let observer = CFRunLoopObserverCreateWithHandler(
      nil, moment.activity.rawValue, true, isFirst ? .min / 2 : .max / 2
    ) { [unowned self] _, _ in armed.take(cell.place)?.perform() }
    observers.append(observer!)
    for mode in [kCFRunLoopDefaultMode!, otherMode] { CFRunLoopAddObserver(loop, observer, mode) }
  }

  func tidy() {
    for observer in observers { CFRunLoopObserverInvalidate(observer) }
    observers = []
    setMode(isOther: false)
  }

  private func setMode(isOther: Bool) {
    let isNew = isInOtherMode.withLock { mode in
      defer { mode = isOther }
      return mode != isOther
    }
    if isNew {
      CFRunLoopStop(loop)
      Clock.rest(2_000_000)
    }
  }

  func trigger(_ injection: Injection) {
    switch injection.cell.place {
    case .timer:
      armed.set(injection)
      CFRunLoopTimerSetNextFireDate(timer, CFAbsoluteTimeGetCurrent() + 0.001)
    case .source0:
      armed.set(injection)
      signal(source)
    case .nested:
      armed.set(injection)
      perform { [self] in runNested() }
    case .afterNested:
      perform { [self] in
        runNested()
        injection.perform()
      }
    case .observer(let moment, _):
      armed.set(injection)
      if moment == .entry || moment == .exit { CFRunLoopStop(loop) } else { CFRunLoopWakeUp(loop) }
    case .outside:
      armed.set(injection)
      CFRunLoopStop(loop)
    default: perform { injection.perform() }
    }
  }

  func remind(of injection: Injection) {
    guard case .observer = injection.cell.place else { return }
    if armed.holds(injection) { CFRunLoopWakeUp(loop) }
  }

  private func perform(_ block: @escaping () -> Void) {
    CFRunLoopPerformBlock(loop, mode, block)
    CFRunLoopWakeUp(loop)
  }

  private func signal(_ source: CFRunLoopSource) {
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(loop)
  }
}

extension Place.Moment {
  fileprivate var activity: CFRunLoopActivity {
    switch self {
    case .entry: .entry
    case .beforeTimers: .beforeTimers
    case .beforeSources: .beforeSources
    case .beforeWaiting: .beforeWaiting
    case .afterWaiting: .afterWaiting
    case .exit: .exit
    }
  }
}
