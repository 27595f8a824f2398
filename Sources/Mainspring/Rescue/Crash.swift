internal import CMainspring

extension CrashRescue {
  /// A crash that the process is held for.
  public struct Crash: Sendable {
    /// The signal's number.
    public let signal: CInt
    /// The signal's name: `SIGSEGV`, …
    public let signalName: String
    /// As `siginfo_t`'s `si_code`: above zero for a fault, else it was sent, as by `abort`.
    public let code: CInt
    /// The kernel's number of the thread that crashed.
    public let thread: CInt
    /// What a fault was about: the memory that was touched, or the instruction; nil if the signal was sent.
    public let address: UInt64?
    /// Where the thread is.
    package let programCounter: UInt64
    package let stackPointer: UInt64
    /// Whether it is the thread of the loop that goes on.
    public let isOnLoopThread: Bool
    private let token: RunLoop.Token

    init(_ crash: ms_crash, loopThread: CInt, token: RunLoop.Token) {
      signal = crash.signal
      signalName = Self.name(of: crash.signal)
      code = crash.code
      thread = crash.thread
      address = crash.code > 0 ? crash.address : nil
      programCounter = crash.program_counter
      stackPointer = crash.stack_pointer
      isOnLoopThread = crash.thread == loopThread
      self.token = token
    }

    /// Everything is saved: the signal goes its way. Any thread; more than once is once.
    public func finish() {
      token.signal()
      ms_rescue_finish()
    }

    private static func name(of signal: CInt) -> String {
      switch signal {
      case 4: "SIGILL"
      case 5: "SIGTRAP"
      case 6: "SIGABRT"
      case 7: "SIGBUS"
      case 8: "SIGFPE"
      case 11: "SIGSEGV"
      case 31: "SIGSYS"
      default: "signal \(signal)"
      }
    }
  }
}
