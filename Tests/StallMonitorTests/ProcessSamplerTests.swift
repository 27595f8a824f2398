import Foundation
import LinuxKernel
import Symbols
import Synchronization
import Testing

@testable import StallMonitor

@Suite(.serialized, .answersSignals) struct ProcessSamplerTests {
  let sampler: StackSampler
  let all: ProcessSampler
  let symbolicator: Symbolicator

  init() throws {
    sampler = try StackSampler()
    all = ProcessSampler(sampler)
    symbolicator = Symbolicator(memory: sampler.memory, debugRoot: "/nowhere")
  }

  private func names(_ thread: ProcessSample.Thread?) -> [String] {
    thread?.stack.map { symbolicator.symbolicate($0.stack.frames, in: $0.modules).names } ?? []
  }

  private func thread(_ number: Int32, in sample: ProcessSample) -> ProcessSample.Thread? {
    sample.threads.first { $0.number == number }
  }

  /// Generous: the machine that runs the tests has other things to do.
  private func sample(_ stalled: Int32, known: StackSample? = nil, concerned: [Int32] = []) -> ProcessSample {
    all.sample(stalled: stalled, known: known, concerned: concerned, budget: .seconds(30))
  }

  @Test func `all threads are taken, the stalled one first, each with what it does`() throws {
    let pipe = Pipe()
    let busy = TargetThread { busyFunction($0) }
    let reading = TargetThread { readingFunction(pipe.fileHandleForReading.fileDescriptor, $0) }
    let lock = NSLock()
    lock.lock()
    let locking = TargetThread { lockingFunction(lock, $0) }
    while WaitChain(from: locking.number, with: WaitReader(memory: sampler.memory)).links.isEmpty {
      sched_yield()
    }
    _ = try sampler.sampleAsleep(thread: reading.number)
    let sample = sample(busy.number, concerned: [locking.number])
    #expect(sample.threads.map(\.number).prefix(2) == [busy.number, locking.number])
    #expect(names(thread(busy.number, in: sample)).contains { $0.contains("busyFunction") })
    let reader = try #require(thread(reading.number, in: sample))
    #expect(names(reader).contains { $0.contains("readingFunction") }, "\(reader)")
    #expect(reader.waitsFor?.kind == .pipe)
    let locker = try #require(thread(locking.number, in: sample))
    #expect(locker.waitsFor?.owner == ThreadIdentity.kernelNumber)
    #expect(names(locker).contains { $0.contains("lockingFunction") }, "\(locker)")
    #expect(!sample.threads.contains { $0.number == ThreadIdentity.kernelNumber })
    #expect(thread(busy.number, in: sample)?.times != nil)
    busy.finish()
    reading.finish { pipe.fileHandleForWriting.write(Data([1])) }
    locking.finish { lock.unlock() }
  }

  @Test func `threads that are to be left out are`() throws {
    let busy = TargetThread { busyFunction($0) }
    let other = TargetThread { busyFunction($0) }
    let sample = ProcessSampler(sampler, leavingOut: [other.number]).sample(
      stalled: busy.number, budget: .seconds(30))
    #expect(thread(other.number, in: sample) == nil)
    busy.finish()
    other.finish()
  }

  @Test func `a thread that has not moved is not taken again`() throws {
    let pipe = Pipe()
    let reading = TargetThread { readingFunction(pipe.fileHandleForReading.fileDescriptor, $0) }
    _ = try sampler.sampleAsleep(thread: reading.number)
    let first = sample(reading.number)
    #expect(first.threads[0].stack != nil)
    // It goes back to its sleep after our signal.
    while !sampler.isUnmoved(since: first.threads[0].stack!) { sched_yield() }
    let second = sample(reading.number)
    #expect(second.threads[0].isUnmoved)
    #expect(names(second.threads[0]).contains { $0.contains("readingFunction") })
    all.forget()
    #expect(!sample(reading.number).threads[0].isUnmoved)
    reading.finish { pipe.fileHandleForWriting.write(Data([1])) }
  }

  @Test func `processor time is counted from the note on`() throws {
    let busy = TargetThread { busyFunction($0) }
    #expect(sample(busy.number).threads[0].cpuSinceNote == nil)
    all.noteTimes()
    let then = try #require(ThreadTimes(thread: busy.number)).cpuNanoseconds
    while try #require(ThreadTimes(thread: busy.number)).cpuNanoseconds < then + 20_000_000 { sched_yield() }
    #expect(try #require(sample(busy.number).threads[0].cpuSinceNote) >= .milliseconds(20))
    busy.finish()
  }

  @Test func `workers of libdispatch and of tasks are taken with their names`() async throws {
    let control = TargetThread.Control()
    async let result = spinningTask(control)
    let (entered, mayEnd) = (Gate(), Gate())
    DispatchQueue(label: "tested").async { waitingBlock(entered, mayEnd) }
    control.awaitArrival()
    entered.wait()
    let sample = sample(getpid())
    #expect(sample.threads.contains { names($0).contains { $0.contains("spinningTask") } })
    #expect(sample.threads.contains { names($0).contains { $0.contains("waitingBlock") } })
    control.end()
    mayEnd.open()
    _ = await result
  }

  @Test func `with five hundred threads, some are left out and counted`() throws {
    let pipe = Pipe()
    let gate = Gate()
    let threads = (0..<500).map { _ in
      TargetThread(stackByteCount: 256 << 10) { control in
        control.arrive()
        gate.wait()
      }
    }
    let last = threads[499].number
    let begun = MonotonicClock.now()
    let sample = all.sample(stalled: last)
    let took = MonotonicClock.now() - begun
    print("500 threads: \(took / 1000) µs for \(sample.threads.count)")
    #expect(sample.threads.count <= ProcessSampler.threadCountMax)
    #expect(sample.threads.first?.number == last)
    #expect(sample.threads.count + sample.omittedCount >= 500)
    gate.open()
    for thread in threads { thread.finish() }
    withExtendedLifetime(pipe) {}
  }

  @Test func `threads that end meanwhile do no harm`() throws {
    let mustEnd = Atomic(false)
    let busy = TargetThread { busyFunction($0) }
    let makers = (0..<2).map { _ in
      TargetThread { control in
        control.arrive()
        while !control.mustEnd {
          let short = try? JoinableThread(named: "short", stackBytes: 64 << 10, signals: .asStarter) {
            sched_yield()
          }
          short?.join()
        }
      }
    }
    for _ in 0..<100 {
      let sample = all.sample(stalled: busy.number)
      #expect(sample.threads.first?.number == busy.number)
    }
    mustEnd.store(true, ordering: .relaxed)
    busy.finish()
    for maker in makers { maker.finish() }
  }
}

@inline(never) private func spinningTask(_ control: TargetThread.Control) async -> Int {
  await Task.yield()
  control.arrive()
  while !control.mustEnd {}
  return 1
}

@inline(never) private func waitingBlock(_ entered: Gate, _ mayEnd: Gate) {
  entered.open()
  mayEnd.wait()
  withExtendedLifetime(mayEnd) {}
}
