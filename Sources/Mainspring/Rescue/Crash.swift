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
    /// The thread's registers by their DWARF numbers, the program counter last; zeros where they are not known.
    package let registers: [UInt64]
    /// When it happened, ns, on the monotonic clock.
    package let nanoseconds: UInt64
    /// Whether it is the thread of the loop that goes on.
    public let isOnLoopThread: Bool
    /// What the loop showed then, if it was its thread: in the handler it shows what it does there.
    package let shown: Beacon?
    private let token: RunLoop.Token

    init(_ crash: ms_crash, loopThread: CInt, shown: Beacon, token: RunLoop.Token) {
      signal = crash.signal
      signalName = Self.name(of: crash.signal)
      code = crash.code
      thread = crash.thread
      address = crash.code > 0 ? crash.address : nil
      let raw = crash.registers
      registers = [
        raw.0, raw.1, raw.2, raw.3, raw.4, raw.5, raw.6, raw.7, raw.8, raw.9, raw.10, raw.11, raw.12, raw.13,
        raw.14,
        raw.15, raw.16,
      ]
      nanoseconds = crash.nanoseconds
      isOnLoopThread = crash.thread == loopThread
      self.shown = crash.thread == loopThread ? shown : nil
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
