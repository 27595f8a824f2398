import CProcess
import Glibc

/// The process of one scenario on one side: this program, started once more.
struct SideProcess: Sendable {
  /// Why it could not be started.
  struct StartError: Error, CustomStringConvertible {
    let description: String
  }

  let scenario: any Scenario
  let side: Side

  /// Runs it to its end, or to the scenario's limit.
  func measure() throws(StartError) -> Measurement {
    let (output, error) = (try Channel(), try Channel())
    let process = try start(output: output, error: error)
    output.closeWriting()
    error.closeWriting()
    let end = wait(for: process, reading: [output, error])
    let complaint = error.text.split(separator: "\n").last.map(String.init) ?? ""
    return Measurement(facts: Facts(output: output.text), end: end, complaint: complaint)
  }

  private func start(output: Channel, error: Channel) throws(StartError) -> pid_t {
    let program = "/proc/self/exe"
    let arguments = [program, "--scenario=\(scenario.name)", "--side=\(side.rawValue)"]
    var variables = ["SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin"]
    if let library = scenario.preloaded { variables.append("LD_PRELOAD=\(try library.path())") }
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
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, error.writing, 2)
    // A group of its own: what the side started is ended with it.
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var process = pid_t()
    let result = unsafe withTexts(arguments) { arguments in
      unsafe withTexts(variables) { variables in
        unsafe posix_spawn(&process, program, &actions, &attributes, arguments, variables)
      }
    }
    guard result == 0 else { throw StartError(description: "cannot start a process: error \(result)") }
    return process
  }

  private func wait(for process: pid_t, reading channels: [Channel]) -> Measurement.End {
    let ended = process_descriptor(process)
    defer { close(ended) }
    let deadline = SuspendingClock.now.advanced(by: scenario.limit)
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
    if isOverdue { return .overdue(scenario.limit) }
    let signal = status & 0x7F
    let code = (status >> 8) & 0xFF
    return signal != 0 ? .died(signal: signal) : code != 0 ? .failed(code: code) : .returned
  }
}

/// Calls `body` with texts as the C library takes lists of them.
func withTexts<Result>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  // SAFETY: copies that live until `body` has returned; the list ends in nil.
  var copies = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer { unsafe copies.forEach { unsafe free($0) } }
  return unsafe copies.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
}
