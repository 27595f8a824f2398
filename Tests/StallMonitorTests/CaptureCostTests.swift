import Foundation
import LinuxKernel
import Symbols
import Testing

@testable import StallMonitor

/// What captures cost: figures for people, not expectations. Run optimised, on a machine that does nothing else:
/// `MAINSPRING_LONG=1 swift test -c release --filter CaptureCostTests`.
@Suite(
  .serialized, .answersSignals, .enabled(if: ProcessInfo.processInfo.environment["MAINSPRING_LONG"] != nil))
struct CaptureCostTests {
  private static let sampleCount = 20_000

  @Test func `the pause of a busy thread`() throws {
    let sampler = try StackSampler()
    for depth in [20, 200] {
      let thread = TargetThread { recursiveFunction(depth, $0) }
      defer { thread.finish() }
      let samples = try (0..<Self.sampleCount).map { _ in
        try sampler.sample(thread: thread.number, timeout: .seconds(10))
      }
      print("handler, \(depth) frames: \(spread(samples.map(\.pause)))")
      print("request to answer, \(depth) frames: \(spread(samples.map(\.latency)))")
    }
  }

  @Test(arguments: [10, 100]) func `all threads, asleep`(count: Int) throws {
    let gate = Gate()
    let threads = (0..<count).map { _ in
      TargetThread(stackByteCount: 256 << 10) { control in
        control.arrive()
        gate.wait()
      }
    }
    let all = ProcessSampler(try StackSampler())
    // Tables are read for the first one.
    print("\(count) threads, the very first time: \(all.sample(stalled: threads[0].number).elapsed)")
    let again = (0..<50).map { _ in
      all.forget()
      return all.sample(stalled: threads[0].number).elapsed
    }
    print("\(count) threads: \(spread(again))")
    print(
      "\(count) threads, unmoved: \(spread((0..<50).map { _ in all.sample(stalled: threads[0].number).elapsed }))"
    )
    gate.open()
    for thread in threads { thread.finish() }
  }

  @Test func `a look at a chain of waits`() throws {
    let lock = NSLock()
    lock.lock()
    let waiting = TargetThread { lockingFunction(lock, $0) }
    let busy = TargetThread { busyFunction($0) }
    let sampler = try StackSampler()
    let waits = WaitReader(memory: sampler.memory)
    while WaitChain(from: waiting.number, with: waits).links.isEmpty { sched_yield() }
    print("chain of one lock: \(spread(timed { WaitChain(from: waiting.number, with: waits) }))")
    print("of a thread that runs: \(spread(timed { WaitChain(from: busy.number, with: waits) }))")
    print("its system call: \(spread(timed { SystemCall(thread: waiting.number) }))")
    print("its status: \(spread(timed { ThreadStatus(thread: waiting.number) }))")
    let place = SystemCall(thread: waiting.number)
    print("what that waits for: \(spread(timed { waits.target(of: place) }))")
    print("the list of threads: \(spread(timed { ThreadList.current }))")
    print("a look: \(spread(timed { try? ThreadLook(waiting.number) }))")
    waiting.finish { lock.unlock() }
    busy.finish()
  }

  private func timed(_ work: () -> some Any) -> [Duration] {
    (0..<5000).map { _ in
      let begun = MonotonicClock.now()
      withExtendedLifetime(work()) {}
      return .nanoseconds(Int64(MonotonicClock.now() - begun))
    }
  }

  private func spread(_ spans: [Duration]) -> String {
    let sorted = spans.sorted()
    func at(_ share: Double) -> String {
      let index = Int(Double(sorted.count - 1) * share)
      return "\(sorted[index] / .microseconds(1))".prefix(6) + " µs"
    }
    return "least \(at(0)), half \(at(0.5)), 99 % \(at(0.99)), most \(at(1))"
  }
}
