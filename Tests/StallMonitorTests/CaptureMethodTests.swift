import Foundation
import LinuxKernel
import Symbols
import Synchronization
import Testing

@testable import StallMonitor

// One after another: their threads spin, and each sample waits until the thread gets a processor.
@Suite(.serialized, .answersSignals) struct CaptureMethodTests {
  let sampler: StackSampler

  init() throws { sampler = try StackSampler() }

  @Test func `a sleeper in write is not interrupted, and all its data arrives`() throws {
    let pipe = Pipe()
    let count = 1 << 20
    let written = ResultBox()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let thread = TargetThread { control in
      let data = [UInt8](repeating: 7, count: count)
      control.arrive()
      // SAFETY: writes the array's bytes.
      written.set(unsafe write(descriptor, data, data.count))
    }
    // On its way into the call, an interruption would show.
    while try sampler.samplePassively(thread: thread.number)?.call?.number != 1 { sched_yield() }
    let sample = try sampler.sample(thread: thread.number)
    #expect(sample.method == .passive)
    #expect(sample.pause == .zero)
    #expect(sample.isComplete, "\(sample.stack)")
    thread.finish { _ = try? pipe.fileHandleForReading.read(upToCount: count) }
    #expect(written.value == count)
  }

  @Test func `a sleeper is left alone once its stack is known, and keeps its time`() throws {
    let pipe = Pipe()
    let thread = TargetThread { readingFunction(pipe.fileHandleForReading.fileDescriptor, $0) }
    let sample = try sampler.sampleAsleep(thread: thread.number)
    #expect(sample.method == .signal)
    // Once it is back in its sleep, it is where it was.
    while !sampler.isUnmoved(since: sample) { sched_yield() }
    thread.finish { pipe.fileHandleForWriting.write(Data([1])) }
    #expect(!sampler.isUnmoved(since: sample))
  }

  @Test func `a sleeper whose wait would begin anew is looked at from outside`() throws {
    let thread = TargetThread { control in
      control.arrive()
      while !control.mustEnd { withExtendedLifetime(poll(nil, 0, 2000)) {} }
    }
    let sample = try sampler.sampleAsleep(thread: thread.number)
    #expect(sample.call?.isGivenSpan == true)
    #expect(sample.method == .passive || !sample.isComplete)
    thread.finish()
  }

  @Test func `a thread that blocks real-time signals is reached by SIGPROF`() throws {
    let thread = TargetThread { control in
      setSignalMask(blocking: Array(34...64))
      busyFunction(control)
    }
    defer { thread.finish() }
    let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
    #expect(sample.method == .signal)
    #expect(sample.isComplete)
  }

  @Test func `a busy thread that blocks all signals is stopped as by a debugger`() throws {
    let thread = TargetThread { control in
      setSignalMask(blocking: nil)
      busyFunction(control)
    }
    defer { thread.finish() }
    for _ in 0..<20 {
      let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
      #expect(sample.method == .signal)
      #expect(sample.isComplete)
      #expect(sample.registers.stackPointer > 0)
    }
    let all = ProcessSampler(sampler).sample(stalled: thread.number, budget: .seconds(10))
    #expect(all.threads.first?.stack?.isComplete == true)
  }

  @Test func `a sleeping thread that blocks all signals is read from outside`() throws {
    let pipe = Pipe()
    let thread = TargetThread { control in
      setSignalMask(blocking: nil)
      readingFunction(pipe.fileHandleForReading.fileDescriptor, control)
    }
    defer { thread.finish { pipe.fileHandleForWriting.write(Data([1])) } }
    // It may still be on its way into the call.
    var sample: StackSample?
    while sample == nil { sample = try sampler.samplePassively(thread: thread.number) }
    #expect(sample?.method == .passive)
    #expect(sample?.isComplete == true, "\(sample.debugDescription)")
  }

  @Test func `the sampler refuses its own thread and threads that are gone`() throws {
    #expect(throws: CaptureError.ownThread) { try sampler.sample(thread: ThreadIdentity.kernelNumber) }
    // No thread of this process has the number of the first process.
    #expect(throws: CaptureError.noSuchThread(1)) { try sampler.sample(thread: 1) }
  }

  @Test func `requests that nobody waits for leave later ones whole`() throws {
    let thread = TargetThread { busyFunction($0) }
    defer { thread.finish() }
    for _ in 0..<200 {
      _ = try? sampler.sample(thread: thread.number, timeout: .zero)
    }
    let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
    #expect(sample.isComplete)
  }

  @Test func `samplers of several threads do not disturb each other`() {
    DispatchQueue.concurrentPerform(iterations: 3) { _ in
      let thread = TargetThread { busyFunction($0) }
      defer { thread.finish() }
      do {
        let own = try StackSampler()
        for _ in 0..<50 {
          #expect(try own.sample(thread: thread.number, timeout: .seconds(10)).isComplete)
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func `a program's own SIGPROF handler still gets its signals`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      signal(SIGPROF) { _ in exit(7) }
      _ = try StackSampler()
      kill(getpid(), SIGPROF)
      while true { sched_yield() }
    }
  }

  @Test func `processor time grows for a busy thread`() throws {
    let thread = TargetThread { busyFunction($0) }
    defer { thread.finish() }
    let first = try #require(ThreadTimes(thread: thread.number))
    var second = first
    while second.cpuNanoseconds == first.cpuNanoseconds {
      second = try #require(ThreadTimes(thread: thread.number))
    }
    #expect(second.cpuNanoseconds > first.cpuNanoseconds)
    #expect(ThreadTimes(thread: 1) == nil)
  }
}

/// A number that one thread sets and another reads.
final class ResultBox: Sendable {
  private let number = Atomic(Int.min)
  func set(_ value: Int) { number.store(value, ordering: .releasing) }
  var value: Int { number.load(ordering: .acquiring) }
}
