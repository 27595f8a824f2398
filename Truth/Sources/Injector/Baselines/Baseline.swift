import Glibc
import Injecting
import Mainspring
import Synchronization
import TruthLog

/// A detector as others build them, reduced to its rule, for comparison: a thread of its own and public observers.
protocol Baseline: Sendable {
  /// It ends what is open.
  func end()
}

enum Baselines {
  /// One of each on the loop.
  static func all(on stage: LoopStage, threshold: UInt64, log: LogFile) -> [any Baseline] {
    [
      PingWatchdog(stage, threshold, log),
      waitingOnly(stage, threshold, log),
      booleanObservers(stage, threshold, log),
      ProcessorTimer(stage, threshold, log),
      tickDelegate(stage, threshold, log),
    ]
  }
}

/// Writes down what a baseline found.
struct BaselineLog: Sendable {
  let name: String
  let loop: String
  let log: LogFile
  private let count = Counter()

  private final class Counter: Sendable { let value = Atomic(0) }

  init(_ name: String, _ stage: LoopStage, _ log: LogFile) {
    self.name = name
    loop = "\(stage.name)"
    self.log = log
  }

  func write(_ interval: Interval, detected: UInt64) {
    let number = count.value.wrappingAdd(1, ordering: .relaxed).newValue
    var told = Told(teller: name, id: "\(loop)-\(number)", loop: loop, interval: interval)
    told.detected = detected
    log.write(told.line)
  }
}

/// A stretch that begins and ends on the loop's thread, seen by a thread that polls.
final class Stretch: Sendable {
  /// When it began, 0 while none is on.
  private let start = Atomic<UInt64>(0)
  private let lastEnd = Atomic<UInt64>(0)

  func begin() {
    if start.load(ordering: .relaxed) == 0 { start.store(Clock.now(), ordering: .releasing) }
  }

  func end() {
    lastEnd.store(Clock.now(), ordering: .releasing)
    start.store(0, ordering: .releasing)
  }

  var began: UInt64 { start.load(ordering: .acquiring) }
  var ended: UInt64 { lastEnd.load(ordering: .acquiring) }
}

/// Polls a stretch: one that lasts for the threshold is told when it is over.
final class StretchWatch: Baseline {
  private let isOver = Flag()

  init(_ stretch: Stretch, threshold: UInt64, every interval: UInt64, to log: BaselineLog) {
    startThread(named: log.name) { [isOver] in
      var open: (start: UInt64, detected: UInt64)?
      while !isOver.isSet {
        Clock.rest(interval)
        let (began, now) = (stretch.began, Clock.now())
        if let told = open, told.start != began {
          log.write(Interval(told.start, max(told.detected, stretch.ended)), detected: told.detected)
          open = nil
        }
        if open == nil, began != 0, now >= began + threshold { open = (began, now) }
      }
      if let open { log.write(Interval(open.start, Clock.now()), detected: open.detected) }
    }
  }

  func end() { isOver.set() }
}

extension RunLoop {
  /// Adds an observer to every mode that the injector runs.
  func observe(_ activities: Activity, order: Int, _ handler: @escaping @Sendable (Activity) -> Void) {
    let observer = Observer(activities, order: order) { _, activity in handler(activity) }
    for mode in [Mode.default, LoopStage.otherMode, LoopStage.nestedMode] { add(observer, to: mode) }
  }
}
