internal import CStackCapture
internal import Glibc
internal import LinuxKernel
internal import Symbols

/// Takes the stacks of other threads of this process.
///
/// Looks before it signals: a thread that sleeps where an interruption would show is only looked at. The
/// signal handler copies and returns; frames are found here, afterwards. Used by one thread at a time.
package final class StackSampler {
  /// Reads this process's memory; give it to the `Symbolicator`, too.
  package let memory = OwnMemory()
  private let moduleMapFile = ModuleMapFile()
  private let unwinder: Unwinder
  private let slot: CaptureSlot
  private let stackByteCountMax: Int
  private let frameCountMax: Int

  /// Installs the signal handlers, the first time. They stay for the life of the process.
  /// - Parameters:
  ///   - stackByteCountMax: how much of a stack is copied at most; about 0.1 µs a KiB of pause.
  ///   - frameCountMax: how many frames are kept of a deeper stack.
  package init(stackByteCountMax: Int = 512 << 10, frameCountMax: Int = 512) throws(CaptureError) {
    precondition(
      (4096...Int(MS_STACK_BYTES_MAX)).contains(stackByteCountMax),
      "a stack copy of \(stackByteCountMax) bytes")
    precondition(frameCountMax > 0, "a limit of \(frameCountMax) frames")
    let error = ms_capture_install()
    guard error == 0 else { throw .failed(errorNumber: error) }
    slot = try CaptureSlot()
    unwinder = Unwinder(memory: memory)
    self.stackByteCountMax = stackByteCountMax
    self.frameCountMax = frameCountMax
  }

  /// Makes the calling thread fit to be sampled even on the last page of its stack. Without it, a handler
  /// that finds no room there ends the process. Call it once on each thread that will be watched.
  package static func prepareCurrentThread() throws(CaptureError) {
    let error = ms_capture_prepare_current_thread()
    guard error == 0 else { throw .failed(errorNumber: error) }
  }

  /// Takes one thread's stack.
  ///
  /// The thread is held up for 3 to 30 µs; the caller for some 150 µs, or until `timeout` if the thread gets
  /// no processor, and again as long if it has all signals blocked before.
  /// - Parameter thread: the kernel's number of another thread of this process.
  package func sample(
    thread: Int32, timeout: Duration = .milliseconds(200)
  ) throws(CaptureError) -> StackSample {
    guard thread != ThreadIdentity.kernelNumber else { throw .ownThread }
    let (deadline, isForever) = MonotonicClock.now().addingReportingOverflow(timeout.wholeNanoseconds)
    let look = try ThreadLook(thread, until: isForever ? .max : deadline)
    if look.mustNotBeInterrupted, let sample = samplePassively(look) { return sample }
    if look.wouldWaitAnew, let sample = samplePassively(look), sample.isComplete { return sample }
    guard let signal = look.signal else {
      if let sample = samplePassively(look) { return sample }
      throw .signalsBlocked
    }
    let request = ms_capture_request(look, signal: signal, timeout: timeout, stackBytesMax: stackByteCountMax)
    let copy = try slot.capture(request)
    return finish(look, .signal, copy)
  }

  /// What `sample` sees of a sleeping thread without sending anything: its stack, from memory. Nil if it
  /// does not sleep, or moved meanwhile.
  package func samplePassively(thread: Int32) throws(CaptureError) -> StackSample? {
    samplePassively(try ThreadLook(thread))
  }

  /// Whether the thread still sleeps where the sample found it, so that its stack need not be taken again.
  ///
  /// A thread that sleeps is not to be interrupted once a tick: each time, a wait that is given as a span begins anew.
  package func isUnmoved(since sample: StackSample) -> Bool {
    guard sample.state == "S" || sample.state == "D", sample.systemCall.place != nil,
      let status = ThreadStatus(thread: sample.thread), status.isAsleep,
      SystemCall(thread: sample.thread) == sample.systemCall
    else { return false }
    // It went back to sleep after our own signal, and has not woken since.
    let ownSwitches: UInt64 = sample.method == .signal ? 1 : 0
    return status.voluntarySwitches &- sample.voluntarySwitches <= ownSwitches
  }

  private func samplePassively(_ look: ThreadLook) -> StackSample? {
    guard look.status.isAsleep, let place = look.systemCall.place else { return nil }
    let redZone: UInt64 = 128
    let low = place.stackPointer &- redZone
    let bytes = memory.bytes(at: low, count: stackByteCountMax)
    // What was read is one stack only if the thread has not run meanwhile.
    guard !bytes.isEmpty, SystemCall(thread: look.thread) == look.systemCall,
      ThreadStatus(thread: look.thread)?.voluntarySwitches == look.status.voluntarySwitches
    else { return nil }
    var registers = RegisterSet()
    registers[Register.rsp] = place.stackPointer
    registers[Register.programCounter] = place.programCounter
    let stack = StackCopy(low: low, bytes: bytes, isTruncated: bytes.count == stackByteCountMax)
    let copy = CaptureSlot.Copy(
      registers: registers, stack: stack, pause: .zero, latency: .zero, didRestartCall: false)
    return finish(look, .passive, copy)
  }

  private func finish(
    _ look: ThreadLook, _ method: StackSample.Method, _ copy: CaptureSlot.Copy
  ) -> StackSample {
    // Read anew each time: a library that was closed and another opened in its place would mislead.
    if let map = try? moduleMapFile.current() { unwinder.update(map) }
    let unwound = unwinder.unwind(copy.registers, stack: copy.stack, frameCountMax: frameCountMax)
    return StackSample(
      thread: look.thread, threadName: ThreadIdentity.name(ofThread: look.thread), method: method,
      stack: unwinder.addingAsyncCallers(to: unwound, stack: copy.stack), registers: copy.registers,
      modules: unwinder.modules, state: look.status.state, systemCall: look.systemCall,
      voluntarySwitches: look.status.voluntarySwitches,
      waitChannel: look.waitChannel, pause: copy.pause, latency: copy.latency,
      isTruncated: [.outsideCopy, .limit].contains(unwound.end) || unwound.omittedCount > 0
        || (copy.stack.isTruncated && !unwound.isComplete),
      didRestartCall: copy.didRestartCall)
  }
}
