import Dispatch
import LinuxKernel
import Mainspring
import StallMonitor
import Synchronization

/// The pings of one queue, and the beacon that shows one that is not answered.
///
/// The beacon shows the queue as waiting, and for a ping that is out for half a threshold while a thread serves the queue, as
/// busy since the ping was sent. It is written by the heart, which only ever turns it from waiting to busy, and by what runs
/// on the queue, which turns it back; the first does so only if nothing of the second came between.
final class QueuePulse: Sendable {
  let beacon = Beacon()
  let queue: DispatchQueue
  private let server: QueueServer
  /// The adapter's own marks: what it runs is watched by these.
  private let marks: StallMonitor.LoopMarks
  private let heartbeat: Locked<Heartbeat>
  /// The number of the ping that was sent last, when (ns), and of that which was answered last.
  private let sent = Atomic<UInt64>(0)
  private let sentAt = Atomic<UInt64>(0)
  private let answered = Atomic<UInt64>(0)
  private let answeredAt = Atomic<UInt64>(0)
  /// The thread that answered last.
  private let answerer = Atomic<Int32>(0)
  private let wasUsed = Atomic<Bool>(false)
  /// Whether the heart beats, or what it sleeps until.
  let asleep = FutexWord(untilUsed)
  static let beats: UInt32 = 0
  static let untilUsed: UInt32 = 1
  static let untilAnswered: UInt32 = 2
  private let wasWatched = Atomic<Bool>(false)

  /// Where all pings are sent from: nothing on it lasts.
  private static let heart = DispatchQueue(label: "stall-monitor.heartbeat", qos: .userInitiated)
  private static let word: StaticString = "block"
  /// An answer that comes within this time, ns, comes at once.
  private static let promptness: UInt64 = 1_000_000

  init(_ queue: DispatchQueue, _ marks: StallMonitor.LoopMarks, threshold: UInt64, pinging: Pinging) {
    self.queue = queue
    self.marks = marks
    server = QueueServer(queue)
    heartbeat = Locked(Heartbeat(threshold: threshold, pinging: pinging))
    beacon.showWaiting(nesting: 1)
    beacon.fileAddress.store(CallSite(Self.word, 0).fileAddress, ordering: .relaxed)
  }

  /// How many pings were sent.
  var pingCount: UInt64 { sent.load(ordering: .sequentiallyConsistent) }
  /// How many of them were answered: all but one at least.
  var answerCount: UInt64 { answered.load(ordering: .sequentiallyConsistent) }

  /// The queue is used through its adapter. A store and a load while the heart beats.
  func use() {
    wasUsed.store(true, ordering: .sequentiallyConsistent)
    if asleep.load() == Self.untilUsed { wake() }
  }

  private func wake() {
    guard asleep.exchange(Self.beats) != Self.beats else { return }
    Self.heart.async { [self] in
      if isForgotten { fallAsleep(Self.untilUsed) } else { act(after: .woken) }
    }
  }

  /// What runs on the queue next is the adapter's: a ping that is still out is no longer held against what ran before.
  func yieldToAdapter() {
    if beacon.shown.isBusy { beacon.showWaiting(nesting: 1) }
  }

  // MARK: on the heart's queue

  private var isOut: Bool { answerCount != pingCount }

  private func act(after event: Heartbeat.Event) {
    switch heartbeat.withLock({ $0.next(after: event) }) {
    case .ping(let lookIn):
      ping()
      comeBack(in: lookIn)
    case .rest(let rest):
      Self.heart.asyncAfter(deadline: .now() + .nanoseconds(Int(rest))) { [self] in act(after: .rested) }
    case .look(let again):
      hold()
      comeBack(in: again)
    case .sleep: sleep()
    }
  }

  private func comeBack(in nanoseconds: UInt64) {
    Self.heart.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [self] in
      guard !isForgotten else { return fallAsleep(Self.untilUsed) }
      if isOut {
        let isAdapters = marks.beacon.shown.isBusy
        return act(after: isAdapters ? .working : .unanswered(isServed: server.answer != .nobody))
      }
      let latency = answeredAt.load(ordering: .relaxed) &- sentAt.load(ordering: .relaxed)
      let used = wasUsed.exchange(false, ordering: .relaxed)
      act(after: .answered(isInUse: used || latency > Self.promptness))
    }
  }

  /// Whether the monitor that looked at it has ended.
  private var isForgotten: Bool {
    if beacon.isWatched {
      wasWatched.store(true, ordering: .relaxed)
      return false
    }
    return wasWatched.load(ordering: .relaxed)
  }

  private func sleep() {
    let awaitsAnswer = isOut
    fallAsleep(awaitsAnswer ? Self.untilAnswered : Self.untilUsed)
    // Answered, or used, before it was said that it sleeps.
    let isMissed = awaitsAnswer ? !isOut : wasUsed.load(ordering: .sequentiallyConsistent)
    if isMissed { wake() }
  }

  private func fallAsleep(_ until: UInt32) {
    _ = asleep.exchange(until)
    asleep.wake(all: true)
  }

  func ping() {
    let number = sent.load(ordering: .relaxed) + 1
    sentAt.store(MonotonicClock.now(), ordering: .relaxed)
    sent.store(number, ordering: .releasing)
    queue.async { [self] in answer(number) }
  }

  /// Shows the queue as busy since the ping was sent, unless it got somewhere meanwhile.
  func hold() {
    let shown = beacon.shown
    // Before the first answer nobody knows whether the queue is served at all: the main one of many programs is not.
    guard isOut, answered.load(ordering: .relaxed) > 0, !shown.isBusy, !marks.beacon.shown.isBusy else {
      return
    }
    let thread: Int32
    switch server.answer {
    case .thread(let number): thread = number
    case .unknown: thread = answerer.load(ordering: .relaxed)
    case .nobody: return
    }
    beacon.thread.store(thread, ordering: .relaxed)
    // What the adapter ran since then was progress.
    let start = max(sentAt.load(ordering: .relaxed), marks.beacon.since.load(ordering: .relaxed))
    beacon.since.store(start, ordering: .relaxed)
    beacon.awakeSince.store(MonotonicClock.now(), ordering: .relaxed)
    let busy = Beacon.State(progress: shown.progress &+ 1, mode: nil, nesting: 1, phase: .work)
    let exchange = beacon.state.compareExchange(
      expected: shown.rawValue, desired: busy.rawValue, ordering: .sequentiallyConsistent)
    if exchange.exchanged { WatcherParking.loopIsBusy() }
  }

  // MARK: on the watched queue

  private func answer(_ number: UInt64) {
    answerer.store(ThreadIdentity.rememberedNumber, ordering: .relaxed)
    beacon.showWaiting(nesting: 1)
    answeredAt.store(MonotonicClock.now(), ordering: .relaxed)
    answered.store(number, ordering: .sequentiallyConsistent)
    if asleep.load() == Self.untilAnswered { wake() }
  }
}
