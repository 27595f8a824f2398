internal import CStackCapture
internal import Glibc
internal import Symbols

/// The memory that a signal handler copies a thread's stack into.
struct CaptureSlot: ~Copyable {
  struct Copy {
    var registers: RegisterSet
    var stack: StackCopy
    var pause: Duration
    var latency: Duration
    var didRestartCall: Bool
  }

  private let number: CInt

  init() throws(CaptureError) {
    number = ms_slot_acquire()
    guard number >= 0 else { throw .failed(errorNumber: -number) }
  }

  deinit { ms_slot_release(number) }

  /// Interrupts a thread and copies its registers and stack.
  func capture(_ request: ms_capture_request) throws(CaptureError) -> Copy {
    var result = ms_capture_result()
    // SAFETY: the call reads one request and writes one result; both outlive it.
    let error = unsafe withUnsafePointer(to: request) { unsafe ms_capture_thread(number, $0, &result) }
    switch error {
    case 0: break
    case ETIMEDOUT: throw .timedOut
    case EBUSY: throw .busy
    case ESRCH: throw .noSuchThread(request.thread)
    default: throw .failed(errorNumber: error)
    }
    guard result.read_error == 0 else { throw .stackUnreadable(errorNumber: result.read_error) }
    return copy(result)
  }

  private func copy(_ result: ms_capture_result) -> Copy {
    var registers = RegisterSet()
    for register in 0..<Register.count {
      registers[register] = ms_slot_register(number, CInt(register))
    }
    let count = Int(result.stack_bytes)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      // SAFETY: the slot holds `stack_bytes` bytes of stack, and the buffer has room for as many.
      unsafe ms_slot_copy_stack(number, buffer.baseAddress, count)
      filled = count
    }
    return Copy(
      registers: registers,
      stack: StackCopy(low: result.stack_low, bytes: bytes, isTruncated: result.truncated),
      pause: .nanoseconds(Int64(clamping: result.handler_nanoseconds)),
      latency: .nanoseconds(Int64(clamping: result.latency_nanoseconds)),
      didRestartCall: result.restarted_call)
  }
}
