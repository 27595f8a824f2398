/// What the scenarios ask of a run loop, in the words that CFRunLoop and Mainspring share.
///
/// A scenario that is written against it is the same code on both sides. Each requirement is one call of the loop that
/// is compared, with its arguments put into that loop's types, and nothing more: no wake that the caller did not ask
/// for, no check, no copy of state.
protocol ComparedLoop: Sendable {
  associatedtype Mode: Sendable
  associatedtype Timer: ComparedTimer
  associatedtype Source: ComparedSource where Source.Mode == Mode

  /// The calling thread's loop.
  static var current: Self { get }
  static var defaultMode: Mode { get }
  static var commonModes: Mode { get }
  static var nameOfCommonModes: String { get }
  /// The mode of that name, made anew at each call.
  static func mode(_ name: String) -> Mode

  /// Runs the loop, which is the calling thread's; nil is no limit.
  @discardableResult
  func run(in mode: Mode, for limit: Duration?, returnAfterSourceHandled: Bool) -> Ending
  func stop()
  func wakeUp()
  /// Queues a block, without a wake that was not asked for.
  func perform(in mode: Mode, _ block: @escaping @Sendable () -> Void)

  /// Adds a timer that fires after a delay and then, if so asked, at every interval.
  @discardableResult
  func addTimer(
    after delay: Duration, every interval: Duration?, to mode: Mode,
    handler: @escaping @Sendable (Timer) -> Void
  ) -> Timer
  /// Adds a timer that fires once, and may be that much later.
  func addTimer(
    after delay: Duration, tolerance: Duration, to mode: Mode, handler: @escaping @Sendable () -> Void)
  /// Adds a source that is signalled by hand.
  @discardableResult
  func addSource(
    order: Int, to mode: Mode, onSchedule: (@Sendable () -> Void)?, onCancel: (@Sendable () -> Void)?,
    perform: @escaping @Sendable () -> Void
  ) -> Source
  /// Adds a source of a descriptor that becomes readable.
  @discardableResult
  func addReadable(_ descriptor: CInt, to mode: Mode, handler: @escaping @Sendable () -> Void) -> Source
  /// Adds an observer of one activity, which is called each time.
  func addObserver(of activity: Activity, to mode: Mode, handler: @escaping @Sendable () -> Void)
}

/// A timer of a compared loop.
protocol ComparedTimer: Sendable {
  func setFireDate(after delay: Duration)
  func invalidate()
}

/// A source of a compared loop.
protocol ComparedSource: Sendable {
  associatedtype Mode
  func signal()
  func invalidate()
  /// Leaves a mode of the loop that it was added to.
  func remove(from mode: Mode)
}

/// How a run ended.
enum Ending: String, Sendable {
  case finished, stopped, timedOut, handledSource
}

/// The moments of a run that an observer is called at.
enum Activity: String, Sendable, CaseIterable {
  case entry, beforeTimers, beforeSources, beforeWaiting, afterWaiting, exit
}

extension ComparedLoop {
  @discardableResult
  func run(in mode: Mode, for limit: Duration? = nil) -> Ending {
    run(in: mode, for: limit, returnAfterSourceHandled: false)
  }

  @discardableResult
  func addTimer(after delay: Duration, to mode: Mode, handler: @escaping @Sendable () -> Void) -> Timer {
    addTimer(after: delay, every: nil, to: mode) { _ in handler() }
  }

  @discardableResult
  func addSource(order: Int = 0, to mode: Mode, perform: @escaping @Sendable () -> Void) -> Source {
    addSource(order: order, to: mode, onSchedule: nil, onCancel: nil, perform: perform)
  }

  /// Keeps a mode from being empty: a timer that does not come.
  func keepAlive(_ mode: Mode) { addTimer(after: .seconds(100_000), to: mode) {} }
}

extension ComparedLoop {
  /// Adds an observer that is called once.
  func addObserver(of activity: Activity, to mode: Mode, once handler: @escaping @Sendable () -> Void) {
    let isFirst = Shared(true)
    addObserver(of: activity, to: mode) {
      guard isFirst.value else { return }
      isFirst.value = false
      handler()
    }
  }
}
