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

  /// Most stacks fit in here.
  private static let warmByteCount = 64 << 10
  /// So much of a sleeper's stack is read at once.
  private static let passiveByteCountMax = 64 << 10

  /// Installs the signal handlers, the first time. They stay for the life of the process.
  /// - Parameters:
  ///   - stackByteCountMax: how much of a stack is copied while the thread is held up, at most; about 0.1 µs a KiB. The
  ///     rest of a deeper one is read afterwards.
  ///   - frameCountMax: how many frames are kept of a deeper stack.
  package init(stackByteCountMax: Int = Int(MS_STACK_BYTES_MAX), frameCountMax: Int = 128)
    throws(CaptureError)
  {
    precondition(
      (4096...Int(MS_STACK_BYTES_MAX)).contains(stackByteCountMax),
      "a stack copy of \(stackByteCountMax) bytes")
    precondition(frameCountMax > 0, "a limit of \(frameCountMax) frames")
    ReadOnlyFile.keepReserve()
    let error = ms_capture_install()
    guard error == 0 else { throw .failed(errorNumber: error) }
    slot = try CaptureSlot(warmByteCount: Self.warmByteCount)
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
    let now = MonotonicClock.now()
    let deadline = now.advanced(by: timeout)
    var look = try ThreadLook(thread, until: min(deadline, now + Self.blockedTimeMax))
    if look.mayBeTakenQuietly {
      refreshModules()
      if let sample = sampleQuietly(look) { return sample }
    }
    var traced: StackSample?
    if look.mustBeTraced {
      traced = sampleTraced(look, by: deadline, in: slot)
      if let traced, traced.isComplete { return traced }
      // It may have lost its processor in a handler, which blocks signals for a moment only.
      look = try ThreadLook(thread, until: deadline)
    }
    guard let request = request(look) else {
      guard let sample = traced ?? samplePassively(look) else { throw .signalsBlocked }
      return sample
    }
    try slot.begin(request)
    let copy = try slot.end(by: MonotonicClock.now().advanced(by: timeout))
    refreshModules()
    return finish(look, .signal, copy, slot)
  }

  /// What `sample` sees of a sleeping thread without sending anything: its stack, from memory. Nil if it
  /// does not sleep, or moved meanwhile.
  package func samplePassively(thread: Int32) throws(CaptureError) -> StackSample? {
    refreshModules()
    return samplePassively(try ThreadLook(thread))
  }

  /// Whether the thread still sleeps where the sample found it, so that its stack need not be taken again.
  ///
  /// A thread that sleeps is not to be interrupted once a tick: each time, a wait that is given as a span begins anew.
  package func isUnmoved(since sample: StackSample) -> Bool {
    guard sample.systemCall.place != nil, let status = ThreadStatus(thread: sample.thread) else {
      return false
    }
    return sample.isUnmoved(status, SystemCall(thread: sample.thread))
  }

  // MARK: the steps, for those who take many stacks at once

  /// Learns what is loaded now. Read anew for each capture: a library that was closed and another opened in its place
  /// would mislead.
  func refreshModules() {
    if let map = try? moduleMapFile.current() { unwinder.update(map) }
  }

  /// Takes the stack from outside, where that is better than a signal or nothing else is left.
  func sampleQuietly(_ look: ThreadLook) -> StackSample? {
    if look.mustNotBeInterrupted || look.signal == nil { return samplePassively(look) }
    guard look.wouldWaitAnew, let sample = samplePassively(look), sample.isComplete else { return nil }
    return sample
  }

  /// What to ask of the thread; nil if no signal gets through to it, or none may be sent.
  func request(_ look: ThreadLook, stackByteCountMax: Int? = nil) -> ms_capture_request? {
    look.lacksRoom
      ? nil
      : look.signal.map {
        ms_capture_request(look, signal: $0, stackBytesMax: stackByteCountMax ?? self.stackByteCountMax)
      }
  }

  /// Finds the frames of what a signal brought.
  /// - Parameter slot: where the thread may be asked once more.
  func finish(_ look: ThreadLook, _ method: StackSample.Method, _ copy: CaptureSlot.Copy, _ slot: CaptureSlot)
    -> StackSample
  {
    guard copy.stack.isTruncated else { return sample(look, method, copy) }
    // The middle of a deep stack is read while the thread runs on. Wrong frames there are mostly not kept.
    var deep = copy
    deep.stack = StackCopy(
      low: copy.stack.low, bytes: copy.stack.leaf.bytes, isTruncated: true, root: copy.stack.root,
      rest: StackRest(memory: memory))
    let sample = sample(look, method, deep)
    let isUncertain = sample.stack.frames.contains { frame in
      frame.canonicalFrameAddress.map { deep.stack.isUncertain($0) } ?? false
    }
    // If some were kept, the thread must still be beneath them.
    return !isUncertain || isBelow(copy.stack.high, look, slot) ? sample : self.sample(look, method, copy)
  }

  /// Stops the thread as a debugger would. Nil if that is forbidden, or did not work in time.
  func sampleTraced(_ look: ThreadLook, by deadline: UInt64, in slot: CaptureSlot) -> StackSample? {
    let limit = min(deadline, MonotonicClock.now() + Self.traceTimeMax)
    let request = ms_capture_request(look, signal: 0, stackBytesMax: stackByteCountMax)
    guard let copy = try? slot.trace(request, by: limit) else { return nil }
    refreshModules()
    return finish(look, .signal, copy, slot)
  }

  /// A thread that blocks all signals is believed to do so for good after this time, ns.
  private static let blockedTimeMax: UInt64 = 2_000_000
  /// How long it may take to stop a thread, ns.
  private static let traceTimeMax: UInt64 = 150_000_000

  private func isBelow(_ address: UInt64, _ look: ThreadLook, _ slot: CaptureSlot) -> Bool {
    guard let request = request(look, stackByteCountMax: 256), (try? slot.begin(request)) != nil,
      let now = try? slot.end(by: MonotonicClock.now() + Self.secondLookTime)
    else { return false }
    return now.registers.stackPointer < address
  }

  /// How long the second look at a deep stack may take, ns.
  private static let secondLookTime: UInt64 = 20_000_000

  /// The stack of a thread that stands where these registers say, as long as this lasts.
  func sample(ofThread thread: Int32, stoppedAt registers: RegisterSet) -> StackSample? {
    guard let look = try? ThreadLook(thread) else { return nil }
    let top = registers.stackPointer
    // Beneath the last page of a stack that is used up nothing can be read.
    let below = memory.bytes(at: top &- Self.redZone, count: Int(Self.redZone))
    let low = below.count == Int(Self.redZone) ? top &- Self.redZone : top
    let bytes = memory.bytes(at: low, count: Self.passiveByteCountMax)
    let isCut = bytes.count == Self.passiveByteCountMax
    let stack = StackCopy(
      low: low, bytes: bytes, isTruncated: isCut, rest: isCut ? StackRest(memory: memory) : nil)
    return sample(
      look, .signal,
      CaptureSlot.Copy(
        registers: registers, stack: stack, pause: .zero, latency: .zero, didRestartCall: false))
  }

  /// Whether there is code of something loaded at an address.
  func isCode(_ address: UInt64) -> Bool { unwinder.modules.module(at: address) != nil }

  /// What a function may use beneath its stack pointer, bytes.
  private static let redZone: UInt64 = 128

  private func samplePassively(_ look: ThreadLook) -> StackSample? {
    guard look.status.isAsleep, let place = look.systemCall.place else { return nil }
    let low = place.stackPointer &- Self.redZone
    let bytes = memory.bytes(at: low, count: Self.passiveByteCountMax)
    guard !bytes.isEmpty else { return nil }
    var registers = RegisterSet()
    registers[Register.rsp] = place.stackPointer
    registers[Register.programCounter] = place.programCounter
    let isCut = bytes.count == Self.passiveByteCountMax
    let stack = StackCopy(
      low: low, bytes: bytes, isTruncated: isCut, rest: isCut ? StackRest(memory: memory) : nil)
    let copy = CaptureSlot.Copy(
      registers: registers, stack: stack, pause: .zero, latency: .zero, didRestartCall: false)
    let sample = sample(look, .passive, copy)
    // What was read is one stack only if the thread has not run meanwhile.
    guard SystemCall(thread: look.thread) == look.systemCall,
      ThreadStatus(thread: look.thread)?.voluntarySwitches == look.status.voluntarySwitches
    else { return nil }
    return sample
  }

  private func sample(
    _ look: ThreadLook, _ method: StackSample.Method, _ copy: CaptureSlot.Copy
  ) -> StackSample {
    let unwound = unwinder.unwind(copy.registers, stack: copy.stack, frameCountMax: frameCountMax)
      .withoutUnbegunHandler(stackPointer: copy.registers[Register.rsp])
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

extension UInt64 {
  /// A time of the monotonic clock so much later; the last one there is, if that is beyond it.
  func advanced(by span: Duration) -> UInt64 {
    let (time, isBeyond) = addingReportingOverflow(span.wholeNanoseconds)
    return isBeyond ? .max : time
  }
}
