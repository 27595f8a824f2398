internal import CStackCapture
internal import Glibc
internal import Symbols

/// The memory that a signal handler copies a thread's stack into. Used by one thread at a time.
final class CaptureSlot {
  struct Copy {
    var registers: RegisterSet
    var stack: StackCopy
    var pause: Duration
    var latency: Duration
    var didRestartCall: Bool
  }

  private let number: CInt

  /// One taker has no more at once: a quarter of what there is, so that others find some, too.
  static let countMax = Int(MS_SLOT_COUNT) / 4
  /// A thread that has begun to copy may go on for so long after the deadline, ns: it lost its processor, or is traced.
  private static let grace: UInt64 = 1_000_000_000

  /// - Parameter warmByteCount: stacks up to this size are copied without a page fault.
  init(warmByteCount: Int = 0) throws(CaptureError) {
    number = ms_slot_acquire(warmByteCount)
    guard number >= 0 else { throw .failed(errorNumber: -number) }
  }

  deinit { ms_slot_release(number) }

  /// Asks a thread to copy its registers and stack. If this does not throw, `end` must follow.
  func begin(_ request: ms_capture_request) throws(CaptureError) {
    // SAFETY: the call reads one request, which outlives it.
    let error = unsafe withUnsafePointer(to: request) { unsafe ms_capture_begin(number, $0) }
    switch error {
    case 0: break
    case EBUSY: throw .busy
    case ESRCH: throw .noSuchThread(request.thread)
    default: throw .failed(errorNumber: error)
    }
  }

  /// Waits for the copy.
  /// - Parameters:
  ///   - deadline: on the monotonic clock, ns.
  ///   - grace: how much longer it may take if the thread has begun, ns.
  func end(by deadline: UInt64, grace: UInt64 = grace) throws(CaptureError) -> Copy {
    var result = ms_capture_result()
    // SAFETY: the call writes one result, which outlives it.
    let error = unsafe ms_capture_end(number, deadline, grace, &result)
    return try copy(result, error)
  }

  /// Stops a thread as a debugger would, and copies what it has: for one that runs with all signals blocked.
  func trace(_ request: ms_capture_request, by deadline: UInt64) throws(CaptureError) -> Copy {
    var result = ms_capture_result()
    // SAFETY: the call reads one request and writes one result; both outlive it.
    let error = unsafe withUnsafePointer(to: request) {
      unsafe ms_capture_traced(number, $0, deadline, &result)
    }
    return try copy(result, error)
  }

  private func copy(_ result: ms_capture_result, _ error: CInt) throws(CaptureError) -> Copy {
    switch error {
    case 0: break
    case ETIMEDOUT: throw .timedOut
    case EBUSY: throw .busy
    case EPERM: throw .signalsBlocked
    default: throw .failed(errorNumber: error)
    }
    guard result.read_error == 0 else { throw .stackUnreadable(errorNumber: result.read_error) }
    var registers = RegisterSet()
    for register in 0..<Register.count {
      registers[register] = ms_slot_register(number, CInt(register))
    }
    return Copy(
      registers: registers, stack: stack(result),
      pause: .nanoseconds(Int64(clamping: result.handler_nanoseconds)),
      latency: .nanoseconds(Int64(clamping: result.latency_nanoseconds)),
      didRestartCall: result.restarted_call)
  }

  private func stack(_ result: ms_capture_result) -> StackCopy {
    let count = Int(result.stack_bytes)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      // SAFETY: the slot holds `stack_bytes` bytes of stack, and the buffer has room for as many.
      unsafe ms_slot_copy_stack(number, buffer.baseAddress, count)
      filled = count
    }
    return StackCopy(low: result.stack_low, bytes: bytes, isTruncated: result.truncated, root: root(result))
  }

  private func root(_ result: ms_capture_result) -> StackCopy.Part? {
    let count = Int(result.root_bytes)
    guard count > 0 else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      // SAFETY: the slot holds `root_bytes` bytes of the stack's top, and the buffer has room for as many.
      unsafe ms_slot_copy_root(number, buffer.baseAddress, count)
      filled = count
    }
    return StackCopy.Part(low: result.root_low, bytes: bytes)
  }
}
