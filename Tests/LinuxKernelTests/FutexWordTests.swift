import LinuxKernel
import Testing

@Suite struct FutexWordTests {
  private final class Shared: Sendable {
    let word = FutexWord(0)
    let answers = FutexWord(0)
  }

  @Test func `swaps give back what was there, and conditional ones happen only as expected`() {
    let word = FutexWord(7)
    #expect(holds(word.exchange(8) == 7))
    #expect(holds(!word.compareExchange(7, 9)))
    #expect(holds(word.load() == 8))
    #expect(holds(word.compareExchange(8, 9)))
    word.store(10)
    #expect(holds(word.load() == 10 && word.relaxedLoad() == 10))
  }

  @Test func `a wait on a word that has changed returns at once`() {
    let word = FutexWord(1)
    #expect(holds(word.wait(while: 0, until: nil) == .changed))
  }

  @Test func `a wait until a date that has passed times out`() {
    let word = FutexWord(1)
    #expect(holds(word.wait(while: 1, until: 1) == .timedOut))
    #expect(holds(word.wait(while: 1, until: MonotonicClock.now() + 1_000_000) == .timedOut))
  }

  @Test func `a date beyond what the kernel counts is no trap`() {
    let shared = Shared()
    let sleeper = TestThread {
      while shared.word.load() == 0 { shared.word.wait(while: 0, until: .max) }
    }
    shared.word.store(1)
    shared.word.wake()
    sleeper.join()
    #expect(holds(shared.word.load() == 1))
  }

  @Test func `two threads hand a word to and fro`() {
    let shared = Shared()
    let echo = TestThread {
      for round in 0..<2000 as Range<UInt32> {
        while shared.word.load() == round { shared.word.wait(while: round, until: nil) }
        shared.answers.store(round + 1)
        shared.answers.wake()
      }
    }
    for round in 0..<2000 as Range<UInt32> {
      shared.word.store(round + 1)
      shared.word.wake()
      while shared.answers.load() == round { shared.answers.wait(while: round, until: nil) }
    }
    echo.join()
    #expect(holds(shared.answers.load() == 2000))
  }

  @Test func `waking all wakes all`() {
    let shared = Shared()
    let sleepers = (0..<4).map { _ in
      TestThread { while shared.word.load() == 0 { shared.word.wait(while: 0, until: nil) } }
    }
    shared.word.store(1)
    shared.word.wake(all: true)
    for sleeper in sleepers { sleeper.join() }
    #expect(holds(shared.word.load() == 1))
  }
}
