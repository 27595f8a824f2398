import Foundation
import StallMonitor
import Symbols
import Synchronization

/// The thread that takes stacks until there are enough, as a watcher would: of one thread after the other, and of all at
/// once.
final class Sampling: Sendable {
  private let wanted: Int
  private let tally = Mutex(Tally())
  private let hasEnded = Atomic(false)

  init(wanted: Int) { self.wanted = wanted }

  var current: Tally { tally.withLock { $0 } }
  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  func start() {
    let thread = Thread { [self] in
      do {
        try takeAll()
      } catch {
        tally.withLock { $0.failures["sampler: \(error)"] = 1 }
      }
      hasEnded.store(true, ordering: .releasing)
    }
    thread.name = "sampler"
    thread.stackSize = 4 << 20
    thread.start()
  }

  private func takeAll() throws {
    let sampler = try StackSampler()
    let all = ProcessSampler(sampler)
    let symbolicator = Symbolicator(memory: sampler.memory)
    let roundsPerNaming = 50
    for number in 0... {
      if current.taken >= wanted { return }
      var round = Tally()
      let threads = Self.threads
      for thread in threads where number % 4 == 0 { Self.take(thread, sampler, &round) }
      // One time in four as in a stall that goes on: who has not moved is not taken again.
      if number % 4 != 1 { all.forget() }
      for thread in all.sample(stalled: threads.randomElement() ?? getpid()).threads {
        if let error = thread.failure { round.add(error) }
        guard let stack = thread.stack, !thread.isUnmoved else { continue }
        round.add(stack)
        guard number % roundsPerNaming == 0 else { continue }
        round.symbolicated += symbolicator.symbolicate(stack.stack.frames, in: stack.modules).count
      }
      tally.withLock { $0.add(round) }
    }
  }

  private static func take(_ thread: Int32, _ sampler: StackSampler, _ round: inout Tally) {
    do throws(CaptureError) {
      round.add(try sampler.sample(thread: thread))
    } catch {
      if error != .ownThread { round.add(error) }
    }
  }

  /// The kernel's numbers of this process's threads.
  private static var threads: [Int32] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    return (names ?? []).compactMap { Int32($0) }
  }
}
