import CHostility
import Glibc
package import Grid
import TruthLog

/// One injection under way: what it is to do, and what the stalled thread measured.
package final class Injection: @unchecked Sendable {
  // Sendable: the stalled thread writes until `done` is posted, the driver reads after it.
  package let id: Int
  package let cell: Cell
  package let length: UInt64
  private let props: Props
  /// Called on the stalled thread as the time begins: asks the helper to strike now.
  var onBegin: (@Sendable () -> Void)?
  let done = Semaphore()

  /// Of a saturation, on the loop's thread.
  var itemsDone: UInt64 = 0
  private(set) var interval = Interval(0, 0)
  private var times: (before: Times, after: Times)?
  private var result: UInt64 = 0

  private struct Times {
    var cpu: UInt64 = 0
    var runnable: UInt64 = 0

    static func now() -> Times {
      var times = Times()
      return own_times(&times.cpu, &times.runnable) == 0 ? times : Times()
    }
  }

  init(id: Int, cell: Cell, length: UInt64, props: Props) {
    self.id = id
    self.cell = cell
    self.length = length
    self.props = props
  }

  package func begin() {
    let now = Times.now()
    times = (now, now)
    interval.start = Clock.now()
    onBegin?()
  }

  package func finish() {
    interval.end = Clock.now()
    times?.after = .now()
    done.post()
  }

  /// The whole of it, in one callout.
  package func perform() {
    begin()
    result = work()
    finish()
  }

  private func work() -> UInt64 {
    switch cell.work {
    case .spin: spin(length)
    case .malloc: stormMalloc(length)
    case .dictionary: fillDictionary(length)
    case .strings: joinStrings(length)
    case .recursion: recurseDeeply(length)
    case .pageFaults: touchFreshPages(length)
    case .lookup: lookUpLiteral(length)
    case .twoParts: inTwoParts(length)
    case .sleep: sleepInSlices(length)
    case .usleep: sleepOnce(length)
    case .sleepOwn: sleepOwnSlices(length)
    case .poll: pollForNothing(length)
    case .lock: waitForLock(props.accomplice)
    case .swiftMutex: waitForSwiftMutex(props.accomplice)
    case .pipe: readFromPipe(props.accomplice)
    case .condition: waitForCondition(props.accomplice)
    case .fsync: syncFile(length, props.file)
    case .child: waitForChild(length)
    case .deadlock: waitInCircle(props.accomplice)
    case .alternating: alternateWorkAndSleep(length)
    case .backlog: shortItem(length)
    case .saturation: signalledAgain(length)
    case .nothing: 0
    }
  }

  /// What is to be logged of it.
  func truth(loop: String) -> Truth {
    var truth = Truth(
      id: id, cell: cell.name, loop: loop, interval: interval, meant: length, phase: cell.phase,
      meantClass: cell.work.meantClass.rawValue)
    truth.nesting = cell.place.nesting
    truth.function = cell.work.function
    truth.share = cell.work.share
    truth.kind = cell.work.kind
    truth.isOfLoop = cell.place != .outside && cell.work != .nothing
    truth.isUndisturbed = cell.hostilities.isEmpty && cell.loop.isSeenFromItsBeginning
    if let times {
      truth.cpu = times.after.cpu &- times.before.cpu
      truth.runnable = times.after.runnable &- times.before.runnable
    }
    return truth
  }
}

/// What works need that is not theirs.
struct Props: Sendable {
  let accomplice = Accomplice()
  /// A file to write to, removed already.
  let file: CInt

  init(folder: String) {
    let path = folder + "/synced"
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    unlink(path)
  }
}
