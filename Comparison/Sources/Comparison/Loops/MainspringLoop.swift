import class Mainspring.RunLoop

/// Mainspring's run loop.
struct MainspringLoop: ComparedLoop {
  let loop: RunLoop

  static var current: MainspringLoop { MainspringLoop(loop: .current) }
  static let defaultMode = RunLoop.Mode.default
  static let commonModes = RunLoop.Mode.common
  static let nameOfCommonModes = commonModes.name
  static func mode(_ name: String) -> RunLoop.Mode { RunLoop.Mode(name) }

  func run(in mode: RunLoop.Mode, for limit: Duration?, returnAfterSourceHandled: Bool) -> Ending {
    switch loop.run(in: mode, for: limit, returnAfterSourceHandled: returnAfterSourceHandled).reason {
    case .finished: .finished
    case .stopped: .stopped
    case .timedOut: .timedOut
    case .handledSource, .signalled: .handledSource
    }
  }

  func stop() { loop.stop() }
  func wakeUp() { loop.wakeUp() }
  func perform(in mode: RunLoop.Mode, _ block: @escaping @Sendable () -> Void) {
    loop.perform(in: mode, block)
  }

  func addTimer(
    after delay: Duration, every interval: Duration?, to mode: RunLoop.Mode,
    handler: @escaping @Sendable (Timer) -> Void
  ) -> Timer {
    let timer =
      if let interval {
        RunLoop.Timer(every: interval, first: .now.advanced(by: delay)) { handler(Timer(timer: $0)) }
      } else {
        RunLoop.Timer(after: delay) { handler(Timer(timer: $0)) }
      }
    loop.add(timer, to: mode)
    return Timer(timer: timer)
  }

  func addTimer(
    after delay: Duration, tolerance: Duration, to mode: RunLoop.Mode, handler: @escaping @Sendable () -> Void
  ) {
    loop.add(RunLoop.Timer(after: delay, tolerance: tolerance) { _ in handler() }, to: mode)
  }

  func addSource(
    order: Int, to mode: RunLoop.Mode, onSchedule: (@Sendable () -> Void)?, onCancel: (@Sendable () -> Void)?,
    perform: @escaping @Sendable () -> Void
  ) -> Source {
    let source = RunLoop.Source(
      order: order, onSchedule: Self.modeHandler(onSchedule), onCancel: Self.modeHandler(onCancel)
    ) { _ in perform() }
    loop.add(source, to: mode)
    return Source(item: source)
  }

  private static func modeHandler(
    _ handler: (@Sendable () -> Void)?
  ) -> (@Sendable (RunLoop.Source, RunLoop.Mode) -> Void)? {
    guard let handler else { return nil }
    return { _, _ in handler() }
  }

  func addReadable(
    _ descriptor: CInt, to mode: RunLoop.Mode, handler: @escaping @Sendable () -> Void
  ) -> Source {
    let source = RunLoop.DescriptorSource(descriptor) { _, _ in handler() }
    do {
      try loop.add(source, to: mode)
    } catch {
      preconditionFailure("\(error)")
    }
    return Source(item: source)
  }

  func addObserver(of activity: Activity, to mode: RunLoop.Mode, handler: @escaping @Sendable () -> Void) {
    loop.add(RunLoop.Observer(RunLoop.Activity(activity)) { _, _ in handler() }, to: mode)
  }

  struct Timer: ComparedTimer {
    let timer: RunLoop.Timer
    func setFireDate(after delay: Duration) { timer.setFireDate(.now.advanced(by: delay)) }
    func invalidate() { timer.invalidate() }
  }

  struct Source: ComparedSource {
    let item: RunLoop.Item
    func signal() { (item as? RunLoop.Source)?.signal() }
    func invalidate() { item.invalidate() }
    func remove(from mode: RunLoop.Mode) { item.loop?.remove(item, from: mode) }
  }
}

extension RunLoop.Activity {
  /// The same activity in Mainspring's words.
  init(_ activity: Activity) {
    self =
      switch activity {
      case .entry: .entry
      case .beforeTimers: .beforeTimers
      case .beforeSources: .beforeSources
      case .beforeWaiting: .beforeWaiting
      case .afterWaiting: .afterWaiting
      case .exit: .exit
      }
  }
}
