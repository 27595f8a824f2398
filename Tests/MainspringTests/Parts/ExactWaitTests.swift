import LinuxKernel
@testable import Mainspring
import Testing

/// What the kernel is asked for so that a wait ends at its date, and what is left of that.
@Suite struct ExactWaitTests {
  private struct Asked: Equatable {
    /// How long before the date the wait is to end, ns.
    var early: Int64
    /// The thread's slack meanwhile.
    var slack: UInt64
  }

  /// What is asked for on a thread of that slack, for dates at these distances, and the slack that the thread has in the
  /// end.
  private func asked(slack: UInt64, distances: [Int64]) -> (waits: [Asked], slackAfter: UInt64) {
    let waits = Record<Asked>()
    let slackAfter = Box<UInt64>()
    TestThread {
      // Leaves the thread with the slack that is put back.
      TimerSlack.set(slack)
      var wait = ExactWait()
      let now: UInt64 = 1_000_000_000
      for distance in distances {
        let date = UInt64(Int64(now) + distance)
        wait.until(date, now: now) { asked in
          waits.add(Asked(early: Int64(date) - Int64(asked), slack: TimerSlack.ofThisThread!))
        }
      }
      slackAfter.value = TimerSlack.ofThisThread!
    }.join()
    return (waits.all, slackAfter.value!)
  }

  @Test func `M36: a wait is asked for a slack too early where the date is far, and the slack stays`() {
    let (waits, slack) = asked(slack: 200_000, distances: [205_001, 1_000_000, 3_600_000_000_000])
    #expect(waits == Array(repeating: Asked(early: 200_000, slack: 200_000), count: 3))
    #expect(slack == 200_000)
  }

  @Test func `M36: where it is near the slack is put away for the wait, and put back after it`() {
    let (waits, slack) = asked(slack: 200_000, distances: [1, 100_000, 205_000])
    #expect(waits == Array(repeating: Asked(early: 0, slack: 1), count: 3))
    #expect(slack == 200_000)
  }

  @Test func `M36: a slack that the program has set since is the one that is put back`() {
    let slackAfter = Box<UInt64>()
    TestThread {
      TimerSlack.set(200_000)
      var wait = ExactWait()
      wait.until(1_000_100_000, now: 1_000_000_000) { _ in }
      TimerSlack.set(300_000)
      wait.until(1_000_100_000, now: 1_000_000_000) { _ in }
      slackAfter.value = TimerSlack.ofThisThread!
    }.join()
    #expect(slackAfter.value == 300_000)
  }

  @Test func `M36: another slack that the program sets is found out, if not at once`() {
    let early = Record<Int64>()
    TestThread {
      var wait = ExactWait()
      for slack: UInt64 in [200_000, 300_000] {
        TimerSlack.set(slack)
        for _ in 0..<100 {
          wait.until(2_000_000_000, now: 1_000_000_000) { early.add(2_000_000_000 - Int64($0)) }
        }
      }
    }.join()
    #expect(early.all.first == 200_000)
    #expect(early.all.last == 300_000)
  }

  @Test func `M36: for a date that has passed nothing is changed`() {
    let (waits, slack) = asked(slack: 200_000, distances: [0, -1, -1_000_000])
    #expect(waits == Array(repeating: Asked(early: 0, slack: 200_000), count: 3))
    #expect(slack == 200_000)
  }

  @Test func `M36: a slack that does not matter is left alone`() {
    let (waits, _) = asked(slack: 1000, distances: [1, 1500, 2000])
    #expect(waits == Array(repeating: Asked(early: 0, slack: 1000), count: 3))
  }

  @Test(arguments: [false, true])
  func `M36: handlers find the thread's own slack, and no timer is early by it`(hasDescriptor: Bool) {
    let pipe = Pipe()
    let seen = Record<UInt64>()
    let early = Record<Duration>()
    onOwnThread { loop in
      TimerSlack.set(2_000_000)
      if hasDescriptor {
        try loop.add(RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }, to: .default)
      }
      // The nearer ones are waited for without slack, the others a slack too early.
      for microseconds in [100, 200, 3000, 5000, 12_000] {
        let date = loop.now.advanced(by: .microseconds(microseconds))
        let timer = RunLoop.Timer(at: date) { _ in
          seen.add(TimerSlack.ofThisThread!)
          if loop.now < date { early.add(loop.now.duration(to: date)) }
          if seen.count == 5 { loop.stop() }
        }
        loop.add(timer, to: .default)
      }
      loop.run(in: .default)
    }
    #expect(seen.all == Array(repeating: 2_000_000, count: 5))
    #expect(early.isEmpty)
  }
}
