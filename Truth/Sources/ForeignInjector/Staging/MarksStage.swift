import CHostility
import Glibc
import Grid
import Injecting
import StallMonitor
import Synchronization

/// A loop over poll(2), as many programs have one, that sets the monitor's marks itself.
final class MarksStage: Stage, @unchecked Sendable {
  // Sendable: `thread` is written before `isRunning` is posted; the rest is immutable or locked.
  let name = LoopName.marks
  private(set) var thread: pthread_t?
  private let marks: StallMonitor.LoopMarks
  private let armed = Armed()
  private let isRunning = Semaphore()
  private let bell = Pipe()
  private let descriptor = Pipe()
  private let line = Mutex(Line())

  /// What other threads have asked for.
  private struct Line {
    var blocks: [@Sendable () -> Void] = []
    /// ns; nil while the timer is not set.
    var fireDate: UInt64?
  }

  private init(_ monitor: StallMonitor) { marks = monitor.watch(loopNamed: "\(LoopName.marks)") }

  static func started(_ monitor: StallMonitor) -> MarksStage {
    let stage = MarksStage(monitor)
    startThread(named: "marks") { stage.run() }
    stage.isRunning.wait()
    return stage
  }

  // MARK: on the loop's thread

  private func run() {
    thread = pthread_self()
    marks.willWork()
    isRunning.post()
    while true { pass() }
  }

  private func pass() {
    let timeout = timeout
    // A poll that is not to block is no wait.
    if timeout != 0 { marks.willWait() }
    var descriptors = [bell, descriptor].map { pollfd(fd: $0.read, events: Int16(POLLIN), revents: 0) }
    poll(&descriptors, 2, timeout)
    marks.willWork("poll")
    if descriptors[0].revents != 0 { bell.drain() }
    if descriptors[1].revents != 0 {
      descriptor.drain()
      marks.willCall("descriptor")
      armed.take(.descriptor)?.perform()
    }
    if isTimerDue {
      marks.willCall("timer")
      armed.take(.timer)?.perform()
    }
    for block in blocks {
      marks.willCall("block")
      block()
    }
  }

  /// ms, rounded up.
  private var timeout: CInt {
    line.withLock { line in
      if !line.blocks.isEmpty { return 0 }
      guard let fireDate = line.fireDate else { return -1 }
      let now = Clock.now()
      return fireDate <= now ? 0 : CInt((fireDate - now + 999_999) / 1_000_000)
    }
  }

  private var isTimerDue: Bool {
    line.withLock { line in
      guard let fireDate = line.fireDate, fireDate <= Clock.now() else { return false }
      line.fireDate = nil
      return true
    }
  }

  private var blocks: [@Sendable () -> Void] {
    line.withLock { line in
      defer { line.blocks = [] }
      return line.blocks
    }
  }

  /// The loop once more within a callout: it waits shortly, and then does what `body` is.
  private func runNested(_ body: () -> Void) {
    marks.willRunNested()
    marks.willWait()
    poll(nil, 0, 1)
    marks.willWork("poll")
    marks.willCall("nested")
    body()
    marks.didRunNested()
  }

  // MARK: on the driver's thread

  func trigger(_ injection: Injection) {
    if injection.cell.work == .backlog { return perform(Backlog.items(of: injection)) }
    switch injection.cell.place {
    case .timer:
      armed.set(injection)
      line.withLock { $0.fireDate = Clock.now() + 1_000_000 }
      bell.ring()
    case .descriptor:
      armed.set(injection)
      descriptor.ring()
    case .nested: perform([{ [self] in runNested { injection.perform() } }])
    case .afterNested:
      perform([
        { [self] in
          runNested {}
          injection.perform()
        }
      ])
    default: perform([{ injection.perform() }])
    }
  }

  private func perform(_ blocks: [@Sendable () -> Void]) {
    line.withLock { $0.blocks += blocks }
    bell.ring()
  }
}

/// A pipe that is rung and listened to.
private struct Pipe: Sendable {
  let read: CInt
  private let write: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    precondition(open_pipe(&ends, 0) == 0, "no pipe could be made")
    (read, write) = (ends[0], ends[1])
  }

  func ring() {
    var byte: UInt8 = 1
    _ = Glibc.write(write, &byte, 1)
  }

  func drain() {
    var bytes = [UInt8](repeating: 0, count: 16)
    _ = Glibc.read(read, &bytes, bytes.count)
  }
}
