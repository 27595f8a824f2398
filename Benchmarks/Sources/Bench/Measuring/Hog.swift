import Glibc
import Workbench

/// A process that computes all the time, unless it is held.
struct Hog: ~Copyable {
  private let process: CInt

  /// A hog that is held.
  init() throws(ChildProcess.StartError) {
    process = try ChildProcess(
      program: "/proc/self/exe", arguments: ["--burn"], variables: [], limit: .seconds(1)
    ).start()
    kill(process, SIGSTOP)
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  func set(_ load: Load) { kill(process, load == .hog ? SIGCONT : SIGSTOP) }

  /// What the process does: it never returns, and ends with its parent.
  static func burn() -> Never {
    ChildProcess.endWithParent()
    while true {}
  }
}
