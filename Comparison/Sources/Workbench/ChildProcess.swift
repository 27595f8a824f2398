import CProcess
import Glibc

/// A program that is started, waited for, and ended when it takes too long.
public struct ChildProcess: Sendable {
  /// Why it could not be started.
  public struct StartError: Error, CustomStringConvertible {
    public let description: String
    public init(description: String) { self.description = description }
  }

  /// What came of it.
  public struct Outcome: Sendable {
    public let output: String
    /// What it wrote on standard error.
    public let complaint: String
    public let end: End
  }

  /// How it ended.
  public enum End: Sendable, Equatable {
    case returned
    case failed(code: CInt)
    case died(signal: CInt)
    /// It had not ended by then, and was killed.
    case overdue(Duration)
  }

  let program: String
  let arguments: [String]
  let variables: [String]
  let limit: Duration

  /// A program with its arguments and the variables of its environment, for at most `limit`.
  public init(program: String, arguments: [String], variables: [String], limit: Duration) {
    self.program = program
    self.arguments = arguments
    self.variables = variables
    self.limit = limit
  }

  /// Runs it to its end, or to the limit.
  public func run() throws(StartError) -> Outcome {
    let (output, error) = (try Channel(), try Channel())
    let process = try start(output: output.writing, error: error.writing)
    output.closeWriting()
    error.closeWriting()
    let end = wait(for: process, reading: [output, error])
    return Outcome(output: output.text, complaint: error.text, end: end)
  }

  /// Starts it and does not wait; what it writes goes where this process's does. Its number, which is its group's too.
  public func start() throws(StartError) -> CInt { try start(output: 1, error: 2) }

  /// For the child itself: it ends with its parent, and leaves no file of its memory behind.
  public static func endWithParent() { process_begin_side() }

  private func start(output: CInt, error: CInt) throws(StartError) -> CInt {
    // SAFETY: both are made here, used by the calls below and taken apart at the end.
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, error, 2)
    // A group of its own: what it started is ended with it.
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var process: CInt = 0
    let result = unsafe withTexts([program] + arguments) { arguments in
      unsafe withTexts(variables) { variables in
        unsafe posix_spawn(&process, program, &actions, &attributes, arguments, variables)
      }
    }
    guard result == 0 else { throw StartError(description: "cannot start \(program): error \(result)") }
    return process
  }

  private func wait(for process: CInt, reading channels: [Channel]) -> End {
    let ended = process_descriptor(process)
    defer { close(ended) }
    let deadline = SuspendingClock.now.advanced(by: limit)
    var isOverdue = false
    while !isOverdue {
      let left = max(.zero, SuspendingClock.now.duration(to: deadline))
      var polled = ([ended] + channels.map(\.reading)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      // SAFETY: the call reads and writes the array, whose length it is told.
      let count = unsafe poll(&polled, nfds_t(polled.count), CInt(left / .milliseconds(1)) + 1)
      for channel in channels { channel.read() }
      if polled[0].revents != 0 { break }
      isOverdue = count == 0
    }
    // The process itself, if it has ended, keeps its number until it was waited for.
    kill(-process, SIGKILL)
    var status: CInt = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    for channel in channels { channel.read() }
    if isOverdue { return .overdue(limit) }
    let signal = status & 0x7F
    let code = (status >> 8) & 0xFF
    return signal != 0 ? .died(signal: signal) : code != 0 ? .failed(code: code) : .returned
  }
}

/// Calls `body` with texts as the C library takes lists of them.
public func withTexts<Result>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  // SAFETY: copies that live until `body` has returned; the list ends in nil.
  var copies = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer { unsafe copies.forEach { unsafe free($0) } }
  return unsafe copies.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
}

extension ChildProcess.End: CustomStringConvertible {
  public var description: String {
    switch self {
    case .returned: "returned"
    case .failed(let code): "failed with code \(code)"
    case .died(let signal): "died of \(Self.names[signal] ?? "signal \(signal)")"
    case .overdue(let limit): "did not return in \(Int(limit / .seconds(1))) s"
    }
  }

  private static let names: [CInt: String] = [
    SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS",
    SIGKILL: "SIGKILL",
  ]
}
