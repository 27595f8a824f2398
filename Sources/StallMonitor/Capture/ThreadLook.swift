internal import CStackCapture
internal import Glibc
internal import LinuxKernel

/// What is known of a thread before anything is sent to it.
struct ThreadLook {
  let thread: Int32
  let status: ThreadStatus
  let systemCall: SystemCall
  /// The signal that gets through to it, if one does.
  let signal: CInt?
  let waitChannel: String?
  /// Whether a signal's frame would not fit beneath the stack pointer, which would end the process. Known of sleepers only.
  let lacksRoom: Bool

  /// Looks at a thread; again, until `deadline` on the monotonic clock, if no signal gets through to it.
  /// - Parameter attemptsMax: how often at most without a deadline.
  init(_ thread: Int32, until deadline: UInt64 = 0, attemptsMax: Int = 5) throws(CaptureError) {
    self.thread = thread
    var status = try Self.status(of: thread)
    var signal = Self.openSignal(status)
    var attempts = 1
    // The C library blocks all signals for moments when it makes a thread, and our own handler does: look
    // again before believing it. One that lost its processor in such a moment can take long to leave it.
    while signal == nil, attempts < attemptsMax || (!status.isAsleep && MonotonicClock.now() < deadline) {
      usleep(100)
      status = try Self.status(of: thread)
      signal = Self.openSignal(status)
      attempts += 1
    }
    self.status = status
    self.signal = signal
    systemCall = SystemCall(thread: thread)
    waitChannel = status.isAsleep ? Self.waitChannel(of: thread) : nil
    lacksRoom = status.isAsleep && Self.lacksRoom(thread, systemCall)
  }

  /// What the kernel and our handler put onto a stack.
  private static let signalByteCount = max(4096, sysconf(CInt(_SC_MINSIGSTKSZ))) + 2048

  /// The first thread's stack grows by itself.
  private static func lacksRoom(_ thread: Int32, _ systemCall: SystemCall) -> Bool {
    guard thread != getpid(), let place = systemCall.place else { return false }
    let room = OwnMemory().bytes(at: place.stackPointer &- UInt64(signalByteCount), count: signalByteCount)
    return room.count < signalByteCount
  }

  private static func status(of thread: Int32) throws(CaptureError) -> ThreadStatus {
    guard let status = ThreadStatus(thread: thread), !status.isOver else { throw .noSuchThread(thread) }
    return status
  }

  /// Workers of libdispatch block every real-time signal but leave SIGPROF open.
  private static func openSignal(_ status: ThreadStatus) -> CInt? {
    [ms_capture_realtime_signal(), ms_capture_profiling_signal()]
      .first { $0 != 0 && !status.isBlocked($0) }
  }

  /// "0" is the kernel's word for none.
  private static func waitChannel(of thread: Int32) -> String? {
    guard let text = ThreadFile.read("wchan", of: thread), !text.isEmpty, text != [UInt8(ascii: "0")] else {
      return nil
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a signal would be seen by the program, or not be answered.
  var mustNotBeInterrupted: Bool {
    guard status.isAsleep else { return false }
    if status.state == "D" || lacksRoom { return true }
    return systemCall.call.map { ms_call_may_be_partial($0.number) } ?? false
  }
}

extension ThreadLook {
  /// Whether it sleeps in a call that is given a span of time: issued again, it would sleep the whole span again.
  var wouldWaitAnew: Bool { status.isAsleep && (systemCall.call?.isGivenSpan ?? false) }

  /// Whether it runs and no signal gets through to it.
  var mustBeTraced: Bool { signal == nil && !status.isAsleep }

  /// Whether it is to be taken from outside, if that can be done.
  var mayBeTakenQuietly: Bool { status.isAsleep && (mustNotBeInterrupted || wouldWaitAnew || signal == nil) }
}

extension ms_capture_request {
  init(_ look: ThreadLook, signal: CInt, stackBytesMax: Int) {
    self.init()
    thread = look.thread
    self.signal = signal
    stack_bytes_max = UInt64(stackBytesMax)
    call_number = -1
    guard let call = look.systemCall.call, call.arguments.count == 6 else { return }
    call_number = call.number
    call_arguments = (
      call.arguments[0], call.arguments[1], call.arguments[2], call.arguments[3], call.arguments[4],
      call.arguments[5]
    )
    call_stack_pointer = call.stackPointer
    call_program_counter = call.programCounter
  }
}

extension Duration {
  /// Zero for negative spans; the largest number for those beyond it.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(UInt64(clamping: attoseconds) / 1_000_000_000)
    return overflow || carry ? .max : sum
  }
}
