import CCaptureCalls
import CStressWork
import Foundation
import Synchronization

/// The threads whose stacks are taken. They run until the process ends.
final class Work: Sendable {
  /// Rounds of each kind, in the order of `names`.
  let rounds: [Counter]
  let names: [String]
  let waits = Counter()
  /// Waits that saw that they were interrupted, or any other error.
  let interruptedWaits = Counter()
  /// Which they were, and what they saw.
  let interruptions = Mutex<[String: Int]>([:])
  /// Waits that ended before their time.
  let shortWaits = Counter()
  let writes = Counter()
  let shortWrites = Counter()

  private static let swiftNames = ["Swift throw", "Dictionary", "Set", "GCD", "Task", "receiver"]

  init() {
    // SAFETY: texts that are part of the program.
    names =
      (0..<stress_work_count()).map { unsafe String(cString: stress_work_name($0)) } + Self.swiftNames
    rounds = names.map { _ in Counter() }
  }

  private func counter(_ name: String) -> Counter {
    guard let position = names.firstIndex(of: name) else { preconditionFailure("no work is called \(name)") }
    return rounds[position]
  }

  func start() {
    for (position, name) in names.prefix(Int(stress_work_count())).enumerated() {
      // Those that need each other.
      for _ in 0..<(["mutex", "C++ throw"].contains(name) ? 2 : 1) {
        thread(name) { [self] in
          let short = stress_round(CInt(position))
          rounds[position].add()
          guard name == "pipe" else { return }
          writes.add()
          shortWrites.add(Int(short))
        }
      }
    }
    startSwift()
    startQueues()
    for first in 0..<4 as Range<CInt> { startSleeper(first) }
  }

  private func thread(
    _ name: String, beforehand: @escaping @Sendable () -> Void = {}, _ round: @escaping @Sendable () -> Void
  ) {
    let thread = Thread {
      beforehand()
      while true { round() }
    }
    thread.name = name
    thread.stackSize = 1 << 20
    thread.start()
  }

  // MARK: Swift

  private func startSwift() {
    let (throwing, dictionaries, sets, received) = (
      counter("Swift throw"), counter("Dictionary"), counter("Set"), counter("receiver")
    )
    thread("Swift throw") {
      for depth in 0..<50 { try? Self.fall(depth % 12) }
      throwing.add()
      stress_rest()
    }
    thread("Dictionary") {
      var lists: [String: [Int]] = [:]
      for number in 0..<2000 { lists["k\(number % 500)", default: []].append(number) }
      dictionaries.add(lists.isEmpty ? 0 : 1)
      stress_rest()
    }
    thread("Set") {
      var texts: Set<String> = []
      for number in 0..<2000 { texts.insert(String(number % 700, radix: 7)) }
      sets.add(texts.isEmpty ? 0 : 1)
      stress_rest()
    }
    // Signals of the program's own are for it to see: what it sleeps in may be interrupted.
    thread("receiver", beforehand: { stress_receive_storm() }) {
      usleep(100)
      received.add()
    }
  }

  private struct Bottom: Error {}

  @inline(never) private static func fall(_ depth: Int) throws {
    if depth == 0 { throw Bottom() }
    try fall(depth - 1)
  }

  // MARK: queues and tasks

  private func startQueues() {
    let (blocks, steps) = (counter("GCD"), counter("Task"))
    let queue = DispatchQueue(label: "stress")
    for _ in 0..<2 {
      DispatchQueue.global().async {
        while true {
          queue.sync { blocks.add() }
          usleep(100)
        }
      }
    }
    for _ in 0..<2 {
      Task.detached {
        while true {
          try? await Task.sleep(for: .microseconds(500))
          await Self.step(steps, depth: 4)
        }
      }
    }
  }

  private static func step(_ steps: Counter, depth: Int) async {
    if depth > 0 {
      await Task.yield()
      await step(steps, depth: depth - 1)
    } else {
      steps.add()
    }
  }

  // MARK: sleepers

  /// Sleeps in every way there is, one after the other.
  private func startSleeper(_ first: CInt) {
    // Those on sockets are rounded to ticks of the kernel's, and may end before their time by themselves.
    let exactCount: CInt = 17
    let spanMin: UInt64 = 1_400_000
    let next = Counter()
    thread("sleeper", beforehand: { Self.blockAwaited() }) { [self] in
      next.add()
      let way = (first * 6 + CInt(truncatingIfNeeded: next.value)) % test_wait_count()
      let begun = monotonicNow()
      let error = test_wait_once(way)
      let span = monotonicNow() - begun
      waits.add()
      if error != 0 {
        interruptedWaits.add()
        // SAFETY: a text that is part of the program.
        let name = unsafe String(cString: test_wait_name(way))
        interruptions.withLock { $0["\(name): error \(error)", default: 0] += 1 }
      }
      if error == 0, way < exactCount, span < spanMin { shortWaits.add() }
    }
  }

  /// What sigtimedwait takes must be blocked.
  private static func blockAwaited() {
    var set = sigset_t()
    // SAFETY: the calls read and write one set, which outlives them.
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGUSR2)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }
}

/// The monotonic clock, ns.
func monotonicNow() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
