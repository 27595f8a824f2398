internal import LinuxKernel
internal import Symbols

/// Where in the kernel a thread is, as /proc/self/task/T/syscall says.
package enum SystemCall: Sendable, Equatable {
  /// In a system call that has not returned; asleep in it, or about to be.
  case inCall(Call)
  /// Asleep outside of any call: in a page fault.
  case outsideCall(stackPointer: UInt64, programCounter: UInt64)
  /// On a processor.
  case running
  /// The file may not be read, or says something else.
  case unknown

  package struct Call: Sendable, Equatable {
    package var number: Int64
    package var arguments: [UInt64]
    package var stackPointer: UInt64
    /// Just behind the `syscall` instruction.
    package var programCounter: UInt64

    package init(number: Int64, arguments: [UInt64], stackPointer: UInt64, programCounter: UInt64) {
      self.number = number
      self.arguments = arguments
      self.stackPointer = stackPointer
      self.programCounter = programCounter
    }
  }

  /// Reads it. 3 to 9 µs.
  package init(thread: Int32) {
    self = ThreadFile.read("syscall", of: thread).map { SystemCall(parsing: $0) } ?? .unknown
  }

  /// `running`, `number six-arguments sp pc`, or `-1 sp pc`.
  package init(parsing text: [UInt8]) {
    var scanner = TextScanner(text[...])
    if scanner.skip("running") {
      self = .running
      return
    }
    let isOutside = scanner.skip("-")
    guard let number = scanner.decimal().flatMap({ Int64(exactly: $0) }) else {
      self = .unknown
      return
    }
    var words: [UInt64] = []
    while words.count < 8, scanner.skip(" 0x"), let word = scanner.hexadecimal() { words.append(word) }
    if isOutside, words.count == 2 {
      self = .outsideCall(stackPointer: words[0], programCounter: words[1])
    } else if !isOutside, words.count == 8 {
      self = .inCall(
        Call(
          number: number, arguments: Array(words[..<6]), stackPointer: words[6], programCounter: words[7]))
    } else {
      self = .unknown
    }
  }

  package var call: Call? { if case .inCall(let call) = self { call } else { nil } }

  /// Where the thread's stack and code are, if it is in the kernel.
  var place: (stackPointer: UInt64, programCounter: UInt64)? {
    switch self {
    case .inCall(let call): (call.stackPointer, call.programCounter)
    case .outsideCall(let stackPointer, let programCounter): (stackPointer, programCounter)
    case .running, .unknown: nil
    }
  }
}

extension SystemCall.Call {
  /// Whether the call waits for a span of time, counted from its beginning, and not until a moment or for ever.
  package var isGivenSpan: Bool {
    guard arguments.count == 6 else { return false }
    let timeout = Int32(truncatingIfNeeded: arguments[2])
    switch number {
    // Where the rest of the time is written into the request itself, it goes on with the rest; TIMER_ABSTIME is 1.
    case 35: return arguments[0] != arguments[1]  // nanosleep
    case 230: return arguments[1] & 1 == 0 && arguments[2] != arguments[3]  // clock_nanosleep
    case 7: return timeout > 0  // poll
    case 232, 281: return Int32(truncatingIfNeeded: arguments[3]) > 0  // epoll_wait, epoll_pwait
    case 441: return arguments[3] != 0  // epoll_pwait2
    case 202: return arguments[1] & 0x7F == 0 && arguments[3] != 0  // futex, FUTEX_WAIT
    case 128: return arguments[2] != 0  // rt_sigtimedwait
    case 220: return arguments[3] != 0  // semtimedop
    case 208: return arguments[4] != 0  // io_getevents
    case 426: return true  // io_uring_enter: its span is out of sight
    default: return false
    }
  }
}
