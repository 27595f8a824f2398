import CCaptureCalls
import CTestCalls
import Foundation
import LinuxKernel
import Symbols
import Synchronization
import Testing

@testable import StallMonitor

/// Threads in places where a signal or a look could do harm, or where a stack is not what it is elsewhere.
@Suite(.serialized, .answersSignals) struct CapturePlaceTests {
  @Test func `a thread at the very end of its stack survives`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let thread = TargetThread { control in
        // Less than what the kernel alone puts onto a stack for a signal.
        unsafe withSpinning(control) { unsafe test_near_stack_end(3000, $0, $1) }
      }
      let sampler = try StackSampler()
      for _ in 0..<50 {
        let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
        guard sample.isComplete else { exit(1) }
      }
      thread.finish()
      exit(0)
    }
  }

  @Test func `a sleeper at the very end of its stack is only looked at`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let place = ThreadNumber()
      let arrived = Gate()
      // Without an alternate stack for signals, as are threads that nobody watches.
      let thread = try JoinableThread(named: "narrow", stackBytes: 128 << 10, signals: .asStarter) {
        place.set(ThreadIdentity.kernelNumber)
        arrived.open()
        // Bound now: that takes room, too.
        _ = poll(nil, 0, 0)
        unsafe test_near_stack_end(3000, { _ in _ = poll(nil, 0, -1) }, nil)
      }
      arrived.wait()
      let number = place.value
      let sampler = try StackSampler()
      while SystemCall(thread: number).call?.number != 7 { sched_yield() }
      let sample = try sampler.sample(thread: number)
      let all = ProcessSampler(sampler).sample(stalled: number, budget: .seconds(10))
      withExtendedLifetime(thread) {}
      exit(sample.method == .passive && all.threads.first?.stack?.method == .passive ? 0 : 2)
    }
  }

  @Test func `a coroutine's stack is read to its first function`() throws {
    let sampler = try StackSampler()
    let symbolicator = Symbolicator(memory: sampler.memory, debugRoot: "/nowhere")
    let thread = TargetThread { control in
      let byteCount = 128 << 10
      let stack = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
      unsafe withSpinning(control) { _ = unsafe test_on_other_stack(stack, byteCount, $0, $1) }
      unsafe stack.deallocate()
    }
    let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
    thread.finish()
    let names = symbolicator.symbolicate(sample.stack.frames, in: sample.modules).names
    #expect(names.contains { $0.contains("spinHere") }, "\(names)")
    #expect(names.contains { $0 == "enter" }, "\(names)")
  }

  @Test func `functions of C++ are named as they were written`() throws {
    let sampler = try StackSampler()
    let symbolicator = Symbolicator(memory: sampler.memory, debugRoot: "/nowhere")
    let thread = TargetThread { control in
      unsafe withSpinning(control) { unsafe test_call_from_template($0, $1) }
    }
    let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
    thread.finish()
    let names = symbolicator.symbolicate(sample.stack.frames, in: sample.modules).names
    #expect(names.contains { $0.hasPrefix("capture::Caller<long>::call(") }, "\(names)")
    #expect(sample.isComplete)
  }

  @Test func `where the kernel forbids reading processes, stacks are whole`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let sampler = try StackSampler()
      guard test_forbid_reading_processes() == 0 else { exit(2) }
      let busy = TargetThread { busyFunction($0) }
      let sample = try sampler.sample(thread: busy.number, timeout: .seconds(10))
      guard sample.isComplete, sample.method == .signal else { exit(3) }
      let pipe = Pipe()
      let reading = TargetThread { readingFunction(pipe.fileHandleForReading.fileDescriptor, $0) }
      while try sampler.samplePassively(thread: reading.number)?.isComplete != true { sched_yield() }
      let names = Symbolicator(memory: sampler.memory).symbolicate(sample.stack.frames, in: sample.modules)
        .names
      exit(names.contains { $0.contains("busyFunction") } ? 0 : 4)
    }
  }

  @Test func `a program that takes all signals for itself keeps them`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let sampler = try StackSampler()
      test_take_all_signals()
      let pipe = Pipe()
      let busy = TargetThread { busyFunction($0) }
      let reading = TargetThread { readingFunction(pipe.fileHandleForReading.fileDescriptor, $0) }
      // A sleeper is read from outside; none of ours is sent to the program's handler.
      while try sampler.samplePassively(thread: reading.number)?.call?.number != 0 { sched_yield() }
      guard try sampler.sample(thread: reading.number).isComplete else { exit(2) }
      _ = try? sampler.sample(thread: busy.number, timeout: .zero)
      exit(test_signals_taken() == 0 ? 0 : 3)
    }
  }

  @Test func `who waits for any child does not see the helper that stops a thread`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let thread = TargetThread { control in
        setSignalMask(blocking: nil)
        busyFunction(control)
      }
      let sampler = try StackSampler()
      for _ in 0..<50 {
        _ = try sampler.sample(thread: thread.number, timeout: .seconds(10))
        guard waitpid(-1, nil, WNOHANG) == -1, errno == ECHILD else { exit(2) }
      }
      exit(0)
    }
  }

  @Test func `the child of a fork takes stacks of its own threads, and answers no request of its parent's`()
    async
  {
    await #expect(processExitsWith: .exitCode(0)) {
      let sampler = try StackSampler()
      let busy = TargetThread { busyFunction($0) }
      guard try sampler.sample(thread: busy.number, timeout: .seconds(10)).isComplete else { exit(2) }
      let child = test_fork()
      if child == 0 {
        // Of the parent's threads there is none.
        if (try? sampler.sample(thread: busy.number, timeout: .zero)) != nil { _exit(3) }
        let own = TargetThread { busyFunction($0) }
        let sample = try? sampler.sample(thread: own.number, timeout: .seconds(10))
        _exit(sample?.isComplete == true ? 0 : 4)
      }
      let result = test_wait(child)
      guard try sampler.sample(thread: busy.number, timeout: .seconds(10)).isComplete else { exit(5) }
      exit(result < 0 ? 6 : result)
    }
  }
}

/// The kernel's number of a thread, set by the thread itself.
final class ThreadNumber: Sendable {
  private let number = Atomic<Int32>(0)
  func set(_ value: Int32) { number.store(value, ordering: .releasing) }
  var value: Int32 { number.load(ordering: .acquiring) }
}

/// Calls `call` with a function for C that spins until the thread is to end.
func withSpinning(
  _ control: TargetThread.Control,
  _ call: (@convention(c) (UnsafeMutableRawPointer?) -> Void, UnsafeMutableRawPointer) -> Void
) {
  // SAFETY: the control outlives the call, which is where the function is called.
  withExtendedLifetime(control) {
    unsafe call({ unsafe spinHere($0) }, Unmanaged.passUnretained(control).toOpaque())
  }
}

@inline(never) private func spinHere(_ argument: UnsafeMutableRawPointer?) {
  guard let argument = unsafe argument else { return }
  let control = unsafe Unmanaged<TargetThread.Control>.fromOpaque(argument).takeUnretainedValue()
  spin(control)
  withExtendedLifetime(control) {}
}
