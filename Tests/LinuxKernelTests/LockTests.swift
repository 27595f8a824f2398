import LinuxKernel
import Synchronization
import Testing

@Suite struct LockTests {
  @Test func `the value of a lock is touched by one thread at a time`() {
    let counter = Locked(0)
    let threads = (0..<4).map { _ in
      TestThread { for _ in 0..<20_000 { counter.withLock { $0 += 1 } } }
    }
    for thread in threads { thread.join() }
    #expect(counter.withLock { $0 } == 80_000)
  }

  @Test func `a word lock holds others off, sleepers included, and wakes them`() {
    final class Shared: Sendable {
      let lock = WordLock()
      let inside = Atomic<Int>(0)
      let most = Atomic<Int>(0)
      let turns = Atomic<Int>(0)
    }
    let shared = Shared()
    let threads = (0..<3).map { _ in
      TestThread {
        for turn in 0..<2000 {
          shared.lock.lock()
          let inside = shared.inside.wrappingAdd(1, ordering: .relaxed).newValue
          shared.most.max(inside, ordering: .relaxed)
          // Long enough, now and then, that the others go to sleep.
          if turn.isMultiple(of: 200) { for _ in 0..<20_000 { _ = shared.most.load(ordering: .relaxed) } }
          shared.inside.wrappingSubtract(1, ordering: .relaxed)
          shared.lock.unlock()
          shared.turns.wrappingAdd(1, ordering: .relaxed)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(shared.most.load(ordering: .relaxed) == 1)
    #expect(shared.turns.load(ordering: .relaxed) == 6000)
  }

  @Test func `a lock is given back when its body throws`() {
    struct Trouble: Error {}
    let value = Locked(1)
    #expect(throws: Trouble.self) { try value.withLock { _ in throw Trouble() } }
    #expect(value.withLock { $0 } == 1)
  }
}
