import Glibc
import LinuxKernel
@testable import Mainspring
import Synchronization
import Testing

@Suite struct RunLoopThreadEndTests {
  private func isThere(_ thread: CInt) -> Bool { unsafe access("/proc/self/task/\(thread)", F_OK) == 0 }

  /// Returns once the thread refuses blocks: another thread's stop has come that far.
  private func awaitStop(of loop: RunLoop) { while !loop.inbox.refusesBlocks { sched_yield() } }

  @Test func `M51: after a stop everything sent before is done, the thread is gone, and senders are told`()
    throws
  {
    let thread = try RunLoopThread()
    let (seen, begun, mayEnd) = (Record<String>(), Gate(), Gate())
    let source = RunLoop.Source { _ in seen.add("source") }
    let port = RunLoop.Port<Int> { _, message in seen.add("message \(message)") }
    thread.loop.add(source, to: .default)
    thread.loop.add(port, to: .common)
    let number = try thread.performAndWait { ThreadIdentity.kernelNumber }
    thread.perform {
      begun.open()
      mayEnd.pass()
      seen.add("long block")
    }
    begun.pass()
    source.signal()
    for message in 0..<3 { port.send(message) }
    thread.perform(in: .default) {
      seen.add("default")
      // Sent after the stop.
      if thread.perform({}) { Issue.record("taken") }
    }
    thread.loop.perform(in: [.tracking, .default]) { seen.add("several") }
    thread.perform { seen.add("common") }
    let stopper = TestThread { if !thread.stop() { Issue.record("not gone") } }
    awaitStop(of: thread.loop)
    #expect(!thread.perform { seen.add("late") })
    #expect(throws: RunLoop.PerformError.loopEnded) { try thread.performAndWait {} }
    #expect(seen.isEmpty && isThere(number))
    mayEnd.open()
    stopper.join()
    #expect(!isThere(number))
    #expect(
      seen.all.filter { !$0.hasPrefix("message") && $0 != "source" } == [
        "long block", "default", "several", "common",
      ])
    #expect(seen.all.filter { $0.hasPrefix("message") } == ["message 0", "message 1", "message 2"])
    #expect(seen.all.contains("source"))
    #expect(thread.stop(), "again")
    #expect(!thread.loop.add(RunLoop.Source { _ in }, to: .default))
    #expect(port.send(3) == .closed)
  }

  @Test func `M51: more messages than a pass delivers are delivered before the thread ends`() throws {
    let (thread, begun, mayEnd) = (try RunLoopThread(), Gate(), Gate())
    let seen = Record<Int>()
    let port = RunLoop.Port<Int> { _, message in if message % 1000 == 0 { seen.add(message) } }
    thread.loop.add(port, to: .default)
    thread.perform {
      begun.open()
      mayEnd.pass()
    }
    begun.pass()
    for message in 0...(Limit.messagesPerPass * 3) { port.send(message) }
    let stopper = TestThread { thread.stop() }
    awaitStop(of: thread.loop)
    mayEnd.open()
    stopper.join()
    #expect(seen.all == Array(stride(from: 0, through: Limit.messagesPerPass * 3, by: 1000)))
  }

  @Test func `M51: a stop ends all nestings, and what was sent before is done all the same`() throws {
    let thread = try RunLoopThread()
    let (seen, nested) = (Record<String>(), Gate())
    thread.perform {
      let loop = RunLoop.current
      loop.perform(in: "inner") {
        loop.perform(in: "innermost") { nested.open() }
        let result = loop.runThroughStops(in: "innermost", whenEmpty: .wait)
        seen.add("innermost \(result.reason)")
      }
      seen.add("inner \(loop.run(in: "inner", whenEmpty: .wait).reason)")
    }
    nested.pass()
    thread.perform { seen.add("sent before") }
    thread.stop()
    #expect(seen.all == ["innermost stopped", "inner stopped", "sent before"])
  }

  @Test(arguments: [true, false])
  func `M51: a nested run that begins after the stop ends at once`(beforeItRan: Bool) throws {
    let (seen, begun, mayEnd) = (Record<String>(), Gate(), Gate())
    let hold = { @Sendable in
      begun.open()
      mayEnd.pass()
    }
    let thread = try RunLoopThread { _ in if beforeItRan { hold() } }
    if !beforeItRan { thread.perform(hold) }
    begun.pass()
    for number in 0..<2 {
      thread.perform {
        let loop = RunLoop.current
        seen.add("\(number) \(loop.run(until: RunLoop.Token()).reason)")
        seen.add("\(number) \(loop.run(in: "inner", whenEmpty: .wait).reason)")
      }
    }
    let stopper = TestThread { thread.stop() }
    awaitStop(of: thread.loop)
    mayEnd.open()
    stopper.join()
    #expect(seen.all == ["0 stopped", "0 stopped", "1 stopped", "1 stopped"])
  }

  @Test func `M51: what is sent while it stops is done, or refused and its sender told`() throws {
    for _ in 0..<20 {
      let thread = try RunLoopThread()
      let counts = Counts()
      let senders = (0..<3).map { _ in
        TestThread {
          while thread.perform({ counts.done.wrappingAdd(1, ordering: .relaxed) }) {
            counts.taken.wrappingAdd(1, ordering: .relaxed)
            sched_yield()
          }
        }
      }
      let waiters = (0..<2).map { _ in
        TestThread {
          while let value = try? thread.performAndWait({ 1 }) {
            counts.waited.wrappingAdd(value, ordering: .relaxed)
          }
        }
      }
      while counts.waited.load(ordering: .relaxed) < 2 { sched_yield() }
      let stoppers = (0..<3).map { _ in TestThread { if !thread.stop() { Issue.record("not gone") } } }
      for each in senders + waiters + stoppers { each.join() }
      #expect(counts.taken.load(ordering: .relaxed) == counts.done.load(ordering: .relaxed))
    }
  }

  private final class Counts: Sendable {
    let taken = Atomic<Int>(0)
    let done = Atomic<Int>(0)
    let waited = Atomic<Int>(0)
  }

  @Test func `M51: a thread that was stopped before it ever ran does what was sent to it`() throws {
    let (mayBegin, seen) = (Gate(), Record<Int>())
    let thread = try RunLoopThread { _ in mayBegin.pass() }
    thread.perform { seen.add(1) }
    let stopper = TestThread { thread.stop() }
    awaitStop(of: thread.loop)
    mayBegin.open()
    stopper.join()
    #expect(seen.all == [1])
    for _ in 0..<50 { #expect(try RunLoopThread().stop()) }
  }

  @Test func `M51: a stop takes a limit, and the thread ends when it can`() throws {
    let (thread, begun, mayEnd) = (try RunLoopThread(), Gate(), Gate())
    thread.perform {
      begun.open()
      mayEnd.pass()
    }
    begun.pass()
    #expect(!thread.stop(for: .milliseconds(1)))
    #expect(!thread.stop(for: .zero))
    mayEnd.open()
    #expect(thread.stop())
  }

  @Test func `M51: stopping from its own thread does not wait for itself`() throws {
    let (thread, seen) = (try RunLoopThread(), Record<Bool>())
    try thread.performAndWait {
      thread.perform { seen.add(true) }
      seen.add(thread.stop())
      seen.add(thread.perform {})
    }
    #expect(thread.stop())
    #expect(seen.all == [false, false, true])
  }

  @Test func `M51: threads that stop each other do not wait in a circle`() throws {
    let (first, second) = (try RunLoopThread(), try RunLoopThread())
    let (seen, begun) = (Record<Bool>(), [Gate(), Gate()])
    for (index, pair) in [(first, second), (second, first)].enumerated() {
      pair.0.perform {
        begun[index].open()
        begun[1 - index].pass()
        seen.add(pair.1.stop())
      }
    }
    #expect(first.stop() && second.stop())
    #expect(seen.all.contains(false) && seen.count == 2)
  }

  @Test func `M51: who waits for a thread's end is not waited for by it`() throws {
    let (first, second, begun) = (try RunLoopThread(), try RunLoopThread(), Gate())
    let errors = Record<RunLoop.PerformError>()
    second.perform {
      begun.open()
      self.awaitStop(of: RunLoop.current)
      // The one begins to wait where the other just does not.
      while true {
        do { try first.performAndWait(for: .milliseconds(1)) {} } catch RunLoop.PerformError.limitPassed {
          continue
        } catch { return errors.add(error as! RunLoop.PerformError) }
      }
    }
    begun.pass()
    try first.performAndWait { while !second.stop() {} }
    #expect(errors.all == [.wouldDeadlock])
    first.stop()
  }

  @Test(arguments: [true, false])
  func `M51: a thread that is dropped does what was sent and ends, on whatever thread that is`(onItself: Bool)
    throws
  {
    let (seen, begun, mayEnd, cancelled) = (Record<Int>(), Gate(), Gate(), Gate())
    let source = RunLoop.Source(onCancel: { source, _ in
      #expect(source.loop === RunLoop.current)
      cancelled.open()
    }) { _ in }
    let box = Box(try RunLoopThread())
    let loop = box.value!.loop
    let number = try box.value!.performAndWait { ThreadIdentity.kernelNumber }
    loop.add(source, to: .default)
    box.value!.perform {
      begun.open()
      mayEnd.pass()
      if onItself { box.value = nil }
    }
    for value in 0..<3 { box.value!.perform { seen.add(value) } }
    begun.pass()
    if !onItself { box.value = nil }
    mayEnd.open()
    cancelled.pass()
    #expect(seen.all == [0, 1, 2])
    #expect(!loop.perform(in: .default) {})
    // Nobody waits for it; it goes by itself.
    while isThere(number) { sched_yield() }
  }

  @Test func `M51: no thread is left when very many were dropped`() throws {
    let done = Record<Int>()
    for value in 0..<200 { try RunLoopThread().perform { done.add(value) } }
    while done.count < 200 { sched_yield() }
    #expect(done.all.sorted() == Array(0..<200))
  }

  @Test func `M51: what was sent to any common mode is done, also where an observer stops every run`() throws
  {
    let thread = try RunLoopThread()
    let (seen, begun, mayEnd) = (Record<String>(), Gate(), Gate())
    thread.loop.add(RunLoop.Observer(.entry) { observer, _ in observer.loop?.stop() }, to: .tracking)
    thread.perform {
      begun.open()
      mayEnd.pass()
    }
    begun.pass()
    thread.perform(in: .tracking) { seen.add("tracking") }
    thread.loop.add(RunLoop.Observer(.entry) { observer, _ in observer.loop?.stop() }, to: .default)
    thread.perform { seen.add("common") }
    mayEnd.open()
    #expect(thread.stop())
    #expect(seen.all.sorted() == ["common", "tracking"])
  }

  @Test func `M51: a run in its preparation that begins after the stop ends at once`() throws {
    let begun = Gate()
    let thread = try RunLoopThread { loop in
      for _ in 0..<3 {
        loop.perform(in: .default) { begun.open() }
        loop.run(in: .default, whenEmpty: .wait)
      }
    }
    begun.pass()
    #expect(thread.stop())
  }
}
