import ChildProcesses
import Glibc

/// A child process that runs a shell script. What it reads comes by a pipe, which holds it back until the test opens it;
/// what it writes goes into another.
final class Child: Sendable {
  let process: CInt
  private let input = Pipe()
  private let writtenBack = Pipe()

  /// - Parameter passed: a descriptor that the script finds as its third.
  init(_ script: String, passing passed: CInt? = nil) {
    for pipe in [input, writtenBack] {
      for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    // The shell waits where it reads.
    _ = fcntl(input.readEnd, F_SETFL, 0)
    var redirections: [ChildProcess.Redirection] = [
      .from(input.readEnd, to: 0), .from(writtenBack.writeEnd, to: 1),
    ]
    if let passed { redirections.append(.from(passed, to: 3)) }
    // As it is started for tests that have nothing to try without it.
    process = try! ChildProcess.start(["/bin/sh", "-c", script], redirections)
  }

  /// Ends its input.
  func open() { input.closeWriteEnd() }

  /// Readable when it has written.
  var output: CInt { writtenBack.readEnd }

  /// What it has written.
  func heard() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    // SAFETY: reads at most the array's length into the array.
    let count = unsafe read(output, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// What it has written, once it has.
  func heardSoon() -> String {
    var poll = pollfd(fd: output, events: CShort(POLLIN), revents: 0)
    // SAFETY: reads and writes one description, which outlives the call.
    _ = unsafe Glibc.poll(&poll, 1, 20_000)
    return heard()
  }

  /// Waits until it has ended, and leaves it to be reaped.
  func awaitEnd() {
    var info = unsafe siginfo_t()
    // SAFETY: writes one siginfo, which outlives the call.
    _ = unsafe waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT)
  }

  /// Waits for it and reaps it; says with which status, nil if there is no such child.
  @discardableResult
  func reap() -> CInt? {
    var status: CInt = 0
    // SAFETY: writes one number, which outlives the call.
    return unsafe waitpid(process, &status, 0) == process ? status : nil
  }
}
