package import Symbols

/// Why a thread's stack could not be taken.
package enum CaptureError: Error, Equatable {
  case noSuchThread(Int32)
  /// The sampler cannot interrupt the thread that it runs on.
  case ownThread
  /// It did not answer in time: it got no processor, or is stopped.
  case timedOut
  /// All our signals are blocked in it, or its stack has no room for one.
  case signalsBlocked
  /// An earlier capture has not left its handler yet.
  case busy
  case stackUnreadable(errorNumber: Int32)
  /// The kernel refused something else.
  case failed(errorNumber: Int32)
}

/// A thread's stack at one moment, and what the thread was doing.
package struct StackSample: Sendable {
  package enum Method: Sendable, Equatable {
    /// The thread was interrupted for a moment, by a signal or, if it takes none, as by a debugger; all registers are known.
    case signal
    /// It slept in the kernel and nothing was sent to it; only stack and code address are known.
    case passive
  }

  package var thread: Int32
  /// As tools show it: at most 15 bytes.
  package var threadName: String
  package var method: Method
  /// Its frames, innermost first, and why they end.
  package var stack: UnwoundStack
  package var registers: RegisterSet
  /// What was loaded at that moment: names are looked up in it.
  package var modules: ModuleMap
  /// Just before the capture, as /proc writes it.
  package var state: Character
  /// Where in the kernel it was.
  package var systemCall: SystemCall
  /// How often it had gone to sleep by itself before the capture.
  package var voluntarySwitches: UInt64
  /// The kernel's name for what it waited for, such as `futex_do_wait`; nil while it runs.
  package var waitChannel: String?
  /// How long the thread was held up. Zero for a passive capture.
  package var pause: Duration
  /// From the request to the end of the copy.
  package var latency: Duration
  /// Whether the stack was deeper than what is copied or kept: frames are missing at its end, or in its
  /// middle (`stack.omittedCount`).
  package var isTruncated: Bool
  /// Whether a call was issued again that would have reported EINTR.
  package var didRestartCall: Bool

  /// The system call it slept in.
  package var call: SystemCall.Call? { systemCall.call }

  /// Whether the frames reach the thread's first function; some may have been left out of the middle.
  package var isComplete: Bool { stack.isComplete }

  /// Whether a thread that is found like this still sleeps where the sample found it.
  func isUnmoved(_ status: ThreadStatus, _ place: SystemCall) -> Bool {
    guard state == "S" || state == "D", systemCall.place != nil, status.isAsleep, place == systemCall else {
      return false
    }
    // It went back to sleep after our own signal, and has not woken since.
    let ownSwitches: UInt64 = method == .signal ? 1 : 0
    return status.voluntarySwitches &- voluntarySwitches <= ownSwitches
  }
}
