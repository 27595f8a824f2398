import CHostility
import Glibc
import Grid
import Injecting
import Mainspring
import StallMonitor
import Synchronization

/// A watched loop with an item of every kind, each of which performs the injection that is meant for it.
final class LoopStage: Stage, @unchecked Sendable {
  // Sendable: `thread` is written before the loop runs and read after `isRunning`; observers belong to the driver; the
  // rest is immutable or locked.
  let name: LoopName
  let loop: RunLoop
  private(set) var thread: pthread_t?
  let isRunning = Semaphore()

  static let otherMode = RunLoop.Mode("truth-other")
  static let nestedMode = RunLoop.Mode("truth-nested")

  private let armed = Armed()
  private let monitor: StallMonitor
  private let mode = Mutex(RunLoop.Mode.default)
  private var observers: [RunLoop.Observer] = []
  private let pipe: (read: CInt, write: CInt)
  private let items: Items

  private struct Items {
    var timer: RunLoop.Timer
    var source: RunLoop.Source
    var port: RunLoop.Port<Injection>
    var descriptor: RunLoop.DescriptorSource
    var nested: RunLoop.Source
  }

  init(_ name: LoopName, loop: RunLoop, watchedBy monitor: StallMonitor) {
    self.name = name
    self.loop = loop
    self.monitor = monitor
    var ends: [CInt] = [-1, -1]
    precondition(open_pipe(&ends, 0) == 0, "no pipe could be made")
    pipe = (ends[0], ends[1])
    let take = Take()
    items = Items(
      timer: RunLoop.Timer(rearmable: ()) { _ in take.call(.timer)?.perform() },
      source: RunLoop.Source { source in take.source(source) },
      port: RunLoop.Port { _, injection in injection.perform() },
      descriptor: RunLoop.DescriptorSource(ends[0]) { [read = ends[0]] _, _ in
        var bytes = [UInt8](repeating: 0, count: 16)
        _ = Glibc.read(read, &bytes, bytes.count)
        take.call(.descriptor)?.perform()
      },
      nested: RunLoop.Source { _ in take.call(.nested)?.perform() })
    take.stage = self
  }

  /// What the items' handlers have of the stage.
  private final class Take: @unchecked Sendable {
    // Sendable: set before any handler can be called.
    weak var stage: LoopStage?

    func call(_ place: Place) -> Injection? { stage?.armed.take(place) }
    func source(_ source: RunLoop.Source) { stage?.performSource(source) }
  }

  // MARK: on the loop's thread

  /// Runs the loop for as long as the process lives.
  func run() -> Never {
    thread = pthread_self()
    for mode in [RunLoop.Mode.default, Self.otherMode] {
      loop.add(items.timer, to: mode)
      loop.add(items.source, to: mode)
      loop.add(items.port, to: mode)
      do { try loop.add(items.descriptor, to: mode) } catch { fatalError("no descriptor source: \(error)") }
    }
    loop.add(items.nested, to: Self.nestedMode)
    isRunning.post()
    while true {
      loop.run(in: mode.withLock { $0 })
      armed.take(.outside)?.perform()
    }
  }

  /// A saturation signals itself until its time is over.
  private func performSource(_ source: RunLoop.Source) {
    guard let injection = armed.take(.source0) else { return }
    guard injection.cell.work == .saturation else { return injection.perform() }
    if Saturation.continues(injection) {
      armed.set(injection)
      source.signal()
      loop.wakeUp()
    }
  }

  // MARK: on the driver's thread

  func prepare(_ cell: Cell) {
    setMode(cell.isInOtherMode ? Self.otherMode : .default)
    guard case .observer(let moment, let isFirst) = cell.place else { return }
    let observer = RunLoop.Observer(moment.activity, order: isFirst ? .min / 2 : .max / 2) {
      [weak self] _, _ in self?.armed.take(cell.place)?.perform()
    }
    observers.append(observer)
    for mode in [RunLoop.Mode.default, Self.otherMode] { loop.add(observer, to: mode) }
  }

  func tidy() {
    for observer in observers { observer.invalidate() }
    observers = []
    setMode(.default)
  }

  private func setMode(_ new: RunLoop.Mode) {
    let isNew = mode.withLock { mode in
      defer { mode = new }
      return mode != new
    }
    if isNew {
      loop.stop()
      Clock.rest(2_000_000)
    }
  }

  func loop(of injection: Injection) -> String {
    injection.cell.place == .firstPass ? "fresh-\(injection.id)" : "\(name)"
  }

  func trigger(_ injection: Injection) {
    let mode = mode.withLock { $0 }
    if injection.cell.work == .backlog { return triggerBacklog(injection, in: mode) }
    switch injection.cell.place {
    case .block: loop.perform(in: mode) { injection.perform() }
    case .port: items.port.send(injection)
    case .nested:
      armed.set(injection)
      loop.perform(in: mode) { [self] in
        items.nested.signal()
        loop.run(in: Self.nestedMode, for: .seconds(10), returnAfterSourceHandled: true)
      }
    case .afterNested:
      loop.perform(in: mode) { [self] in
        items.nested.signal()
        loop.run(in: Self.nestedMode, for: .seconds(10), returnAfterSourceHandled: true)
        injection.perform()
      }
    case .timer:
      armed.set(injection)
      items.timer.setFireDate(after: .milliseconds(1))
    case .source0:
      armed.set(injection)
      items.source.signal()
      loop.wakeUp()
    case .descriptor:
      armed.set(injection)
      var byte: UInt8 = 1
      _ = write(pipe.write, &byte, 1)
    case .observer(let moment, _):
      armed.set(injection)
      if moment == .entry || moment == .exit { loop.stop() } else { loop.wakeUp() }
    case .outside:
      armed.set(injection)
      loop.stop()
    case .firstPass: FreshLoop.run(injection, named: loop(of: injection), watchedBy: monitor)
    }
  }

  /// Wakes the loop once more if it was awake when it was told: then it made a pass without a wait, and an observer of
  /// the wait's end was not called.
  func remind(of injection: Injection) {
    guard case .observer = injection.cell.place else { return }
    if armed.holds(injection) { loop.wakeUp() }
  }

  /// Queues items of five milliseconds all at once, from a callout of the loop's.
  private func triggerBacklog(_ injection: Injection, in mode: RunLoop.Mode) {
    loop.perform(in: mode) { [self] in
      for item in Backlog.items(of: injection) { loop.perform(in: mode, item) }
    }
  }
}

extension Place.Moment {
  fileprivate var activity: RunLoop.Activity {
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
